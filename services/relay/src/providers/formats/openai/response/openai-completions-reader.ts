import type { ChatResponse, Json, ReportedUsage, StreamPart } from "../../../../core/chat/chat.ts";
import { readTierName, withTier } from "../../../shared/service-tier.ts";
import { asList, asObject, asText } from "../../../../core/chat/json.ts";
import { toResponse, parseObject } from "../../../shared/endpoints/endpoint-provider.ts";
import { errorInside, parseEventData, unreadableResponse } from "../../../shared/upstream-failure.ts";
import type { StreamReader } from "../../../../core/wire/stream.ts";
import { toFinishPart } from "../../../../core/chat/finish-reasons.ts";
import { readFinish, readOpenAiUsage } from "./openai-usage.ts";

const DONE = "[DONE]";

const getTexts = (body: Json): string =>
  asList(body["choices"])
    .map((choice) => asText(asObject(choice)?.["text"]) ?? "")
    .join("");

/**
 * Parses a `text_completion`: its text and usage. Throws StreamFailure if the 200 response contains an error or
 * anything else.
 */
export function parseCompletion(value: unknown): ChatResponse {
  const body = parseObject(value);
  if (!Array.isArray(body["choices"])) throw unreadableResponse();
  return toResponse(withTier(readOpenAiUsage(body["usage"]), readTierName(body["service_tier"])), getTexts(body), body);
}

/** Parses `text_completion` chunks up to `[DONE]`. */
export function newCompletionsReader(): StreamReader {
  let isStarted = false;
  let isFinished = false;
  let isComplete = false;
  let word = "";
  let tier: string | undefined;
  let usage: ReportedUsage;
  const finish = (): StreamPart[] => {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", ...toFinishPart(readFinish(word, false), word), usage }];
  };
  return {
    read({ event, data }): StreamPart[] {
      if (data === DONE) {
        isComplete = true;
        return finish();
      }
      const chunk = parseEventData(data);
      if (chunk["error"] || event === "error") throw errorInside(chunk);
      tier = readTierName(chunk["service_tier"]) ?? tier;
      usage = withTier(readOpenAiUsage(chunk["usage"]) ?? usage, tier);
      word = asText(asObject(asList(chunk["choices"])[0])?.["finish_reason"]) || word;
      const text = getTexts(chunk);
      const parts: StreamPart[] = isStarted ? [] : [{ type: "start", id: asText(chunk["id"]) ?? "", model: "" }];
      isStarted = true;
      return text === "" ? parts : [...parts, { type: "text-delta", text }];
    },
    end: finish,
    isComplete: () => isComplete,
  };
}
