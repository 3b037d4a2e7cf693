import type { ChatResponse } from "../../chat/chat.ts";
import { asObject, asText } from "../../chat/json.ts";
import { textOf } from "../../chat/messages.ts";
import { unreadableResponse } from "../failure.ts";
import {
  countSearches,
  partsOf,
  readCandidate,
  readGeminiFinish,
  readGeminiPart,
  readGeminiUsage,
  withSearches,
} from "./gemini-answer.ts";
import { geminiErrorInside } from "./gemini-failure.ts";
import { readGrounding } from "./gemini-grounding.ts";

/** A GenerateContentResponse in the internal form. Throws StreamFailure for errors, blocked prompts and anything else. */
export function parseGeminiResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw geminiErrorInside(body);
  const candidate = readCandidate(body);
  if (!candidate) throw unreadableResponse();
  const parts = partsOf(candidate).flatMap(readGeminiPart);
  const hasToolCalls = parts.some((part) => part.type === "tool-call");
  const model = asText(body["modelVersion"]) ?? "";
  return {
    id: asText(body["responseId"]) ?? "",
    model,
    createdAtSeconds: 0,
    parts,
    ...readGrounding(candidate, () => textOf(parts)),
    finishReason: readGeminiFinish(asText(candidate["finishReason"]) ?? "", hasToolCalls),
    usage: withSearches(readGeminiUsage(body["usageMetadata"]), countSearches(candidate, model)),
  };
}
