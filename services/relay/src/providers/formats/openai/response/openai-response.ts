import { NO_REASON, toFinish } from "../../../../core/chat/finish-reasons.ts";
import type { ChatResponse, ContentPart, FinishReason, Json } from "../../../../core/chat/chat.ts";
import { getRefusal, toRefusal } from "../../../../core/chat/refusals.ts";
import { readTierName, withTier } from "../../../shared/service-tier.ts";
import { asCount, asList, asObject, asText } from "../../../../core/chat/json.ts";
import { StreamFailure } from "../../../../core/wire/stream.ts";
import { bareFailure, errorInside, unreadableResponse } from "../../../shared/upstream-failure.ts";
import { readStopSequence, refineStop } from "./choice-reader.ts";
import { readToolCall } from "../openai-tool-calls.ts";
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
  const text = readText(message["content"]);
  const legacy = message["function_call"] ? [{ function: message["function_call"] }] : [];
  return [
    ...readReasoningParts(message, readReasoning(message)),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...toRefusal(asText(message["refusal"])),
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

const toStop = (reason: FinishReason, sequence: string | undefined): Pick<ChatResponse, "stopSequence"> =>
  reason === "stop-sequence" && sequence !== undefined ? { stopSequence: sequence } : {};

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
  const word = asText(choice["finish_reason"]) ?? "";
  const hasToolCalls = parts.some((part) => part.type === "tool-call");
  const sequence = readStopSequence(choice);
  const reason = refineStop(readFinish(word, hasToolCalls), { sequence, hasRefusal: getRefusal(parts) !== "" });
  return {
    id: asText(body["id"]) ?? "",
    model: asText(body["model"]) ?? "",
    createdAtSeconds: asCount(body["created"]),
    parts,
    ...(citations.length > 0 ? { citations } : {}),
    ...toFinish(reason, word || NO_REASON),
    ...toStop(reason, sequence),
    usage: withTier(
      (quirks.readUsage ?? readOpenAiUsage)(body["usage"] ?? choice["usage"]),
      readTierName(body["service_tier"]),
    ),
    ...(otherOutput === "" ? {} : { otherOutput }),
  };
}
