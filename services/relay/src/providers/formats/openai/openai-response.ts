import type { ChatResponse, ContentPart, Json } from "../../../core/chat/chat.ts";
import { readTierName, withTier } from "../../shared/service-tier.ts";
import { asCount, asList, asObject, asText } from "../../../core/chat/json.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";
import { bareFailure, errorInside, unreadableResponse } from "../../shared/upstream-failure.ts";
import { readToolCall } from "./openai-tool-calls.ts";
import { readReasoningParts } from "./reasoning-details.ts";
import { readCitations } from "./openai-citations.ts";
import {
  getAudioText,
  getOtherChoicesText,
  type OpenAiQuirks,
  readFinish,
  readOpenAiUsage,
  readReasoning,
  readText,
} from "./openai-usage.ts";

function readParts(message: Json): ContentPart[] {
  const text = readText(message["content"]) || (asText(message["refusal"]) ?? "");
  const legacy = message["function_call"] ? [{ function: message["function_call"] }] : [];
  return [
    ...readReasoningParts(message, readReasoning(message)),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...[...asList(message["tool_calls"]), ...legacy].flatMap(readToolCall),
  ];
}

function throwFailureInside(body: Json, quirks: OpenAiQuirks): void {
  if (body["error"]) throw errorInside(body);
  // OpenRouter's codes for failures of the provider it called.
  const error = asObject(asObject(asList(body["choices"])[0])?.["error"]);
  if (error) {
    const { upstream, status } = errorInside({ error });
    throw new StreamFailure(upstream, status, (quirks.readUsage ?? readOpenAiUsage)(body["usage"]));
  }
  const failure = quirks.failureInside?.(body) ?? bareFailure(body);
  if (failure) throw failure;
}

/**
 * Parses a `chat.completion` into the internal form. Throws StreamFailure if the 200 response contains an error or
 * anything else.
 */
export function parseOpenAiResponse(value: unknown, quirks: OpenAiQuirks = {}): ChatResponse {
  const body = asObject(value);
  throwFailureInside(body ?? {}, quirks);
  const choices = asList(body?.["choices"]);
  const choice = asObject(choices[0]);
  if (!body || !choice) throw unreadableResponse();
  const message = asObject(choice["message"]) ?? {};
  const parts = readParts(message);
  const citations = readCitations(message["annotations"]);
  const otherOutput = getAudioText(message) + getOtherChoicesText(choices);
  const hasToolCalls = parts.some((part) => part.type === "tool-call");
  return {
    id: asText(body["id"]) ?? "",
    model: asText(body["model"]) ?? "",
    createdAtSeconds: asCount(body["created"]),
    parts,
    ...(citations.length > 0 ? { citations } : {}),
    finishReason: readFinish(asText(choice["finish_reason"]) ?? "", hasToolCalls),
    usage: withTier(
      (quirks.readUsage ?? readOpenAiUsage)(body["usage"] ?? choice["usage"]),
      readTierName(body["service_tier"]),
    ),
    ...(otherOutput === "" ? {} : { otherOutput }),
  };
}
