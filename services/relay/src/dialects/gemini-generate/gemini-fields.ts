import type { CommonFields, PathValues } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { readOutputLimit, refuseField } from "../shared/chat-fields.ts";
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
