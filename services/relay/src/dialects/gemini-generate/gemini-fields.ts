import type { CommonFields, OutputBound, PathValues } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { atMost, readOutputLimit, refuseField } from "../shared/chat-fields.ts";
import { either, toArray } from "./gemini-content.ts";

const getConfig = (body: Json): Json => asObject(either(body, "generationConfig", "generation_config")) ?? {};

/** Validates the fields that every call has; the URL names the model and whether to stream. */
export function readGeminiFields(body: Json, path: PathValues | undefined): CommonFields {
  if (!path) throw new Error("a Gemini call without the values of its URL");
  const contents = toArray(body["contents"]);
  if (!Array.isArray(contents) || contents.length === 0) refuseField("contents", "a non-empty array");
  const limit = either(getConfig(body), "maxOutputTokens", "max_output_tokens");
  return { ...path, includeUsage: true, maxOutputTokens: readOutputLimit({ max_tokens: limit }) };
}

/** The number of requested candidates. */
export const countGeminiCandidates = (body: Json): unknown =>
  either(getConfig(body), "candidateCount", "candidate_count");

/** Google's services accept both spellings, and refuse both at once. */
const CONFIG = ["generationConfig", "generation_config"] as const;
const LIMIT = ["maxOutputTokens", "max_output_tokens"] as const;

/** The name that the object uses for a field, the first one if it lacks the field. */
const getSpelling = (object: Json, names: readonly [string, string]): string =>
  names.find((name) => object[name] !== undefined) ?? names[0];

/** Limits each candidate, in the caller's own spelling. */
export function boundGeminiOutput(body: Json, tokens: number): OutputBound {
  const name = getSpelling(body, CONFIG);
  const config = asObject(body[name]) ?? {};
  const limit = getSpelling(config, LIMIT);
  return { fields: { [name]: { ...config, [limit]: atMost(config[limit], tokens) } } };
}
