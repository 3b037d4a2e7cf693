import type { ChatResponse } from "../../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../../core/chat/json.ts";
import { getText } from "../../../core/chat/messages.ts";
import { unreadableResponse } from "../../shared/upstream-failure.ts";
import { CandidateEnd } from "./candidate-end.ts";
import {
  countGrounding,
  getOtherCandidatesText,
  getParts,
  readCandidate,
  readGeminiPart,
  readGeminiUsage,
  withGrounding,
} from "./gemini-candidates.ts";
import { geminiErrorInside } from "./gemini-failure.ts";
import { readGrounding } from "./gemini-grounding.ts";

/**
 * Parses a GenerateContentResponse into the internal form. Throws StreamFailure for errors, blocked prompts and
 * anything else.
 */
export function parseGeminiResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw geminiErrorInside(body);
  const candidate = readCandidate(body) ?? asObject(asList(body["candidates"])[0]);
  if (!candidate) throw unreadableResponse();
  const parts = getParts(candidate).flatMap(readGeminiPart);
  const hasToolCalls = parts.some((part) => part.type === "tool-call");
  const model = asText(body["modelVersion"]) ?? "";
  const otherOutput = getOtherCandidatesText(body);
  const candidateEnd = new CandidateEnd();
  candidateEnd.add(candidate);
  const { explained, ...ended } = candidateEnd.read(hasToolCalls);
  return {
    id: asText(body["responseId"]) ?? "",
    model,
    createdAtSeconds: 0,
    parts: [...parts, ...explained],
    ...readGrounding(candidate, () => getText(parts)),
    ...ended,
    usage: withGrounding(readGeminiUsage(body["usageMetadata"]), countGrounding(candidate, model)),
    ...(otherOutput === "" ? {} : { otherOutput }),
  };
}
