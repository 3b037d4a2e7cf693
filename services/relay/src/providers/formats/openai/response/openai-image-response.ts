import { NO_USAGE } from "@turnpike/contract/pricing/usage";
import type { ChatResponse, ReportedUsage, StreamPart } from "../../../../core/chat/chat.ts";
import { asCount, asObject, asText } from "../../../../core/chat/json.ts";
import { withReportedCost } from "../../../../core/vendors/upstream-cost.ts";
import { toResponse, parseObject } from "../../../shared/endpoints/endpoint-provider.ts";
import { errorInside, parseEventData, unreadableResponse } from "../../../shared/upstream-failure.ts";
import type { StreamReader } from "../../../../core/wire/stream.ts";
import { withDetails } from "./openai-usage.ts";

/** Usage with the names of OpenAI's newer endpoints; undefined if it has no tokens. */
export function readInputOutputUsage(value: unknown): ReportedUsage {
  const usage = asObject(value);
  if (!usage || (usage["input_tokens"] === undefined && usage["output_tokens"] === undefined)) return undefined;
  // Transcriptions name the details without the second "s".
  const input = asObject(usage["input_tokens_details"] ?? usage["input_token_details"]);
  const output = asObject(usage["output_tokens_details"] ?? usage["output_token_details"]);
  const reported = {
    promptTokens: asCount(usage["input_tokens"]),
    completionTokens: asCount(usage["output_tokens"]),
    cacheReadTokens: asCount(input?.["cached_tokens"]),
    cacheWriteTokens: asCount(input?.["cache_write_tokens"]),
    reasoningTokens: asCount(output?.["reasoning_tokens"]),
  };
  return withReportedCost(withDetails(reported, input, output), usage);
}

/** The output of an image model is images, unless its usage reports otherwise. */
const withImageOutput = (usage: ReportedUsage): ReportedUsage =>
  usage === undefined || usage.completionTokens === 0 || usage.imageCompletionTokens !== undefined
    ? usage
    : { ...usage, imageCompletionTokens: usage.completionTokens };

/** The usage of a response with that many images; if no tokens are reported, the images are counted instead. */
export const parseImageUsage = (reported: ReportedUsage, images: number): ReportedUsage => ({
  ...(reported ?? { ...NO_USAGE, promptTokens: images }),
  images,
});

/** Parses a list of images. Throws StreamFailure if the 200 response contains an error, no image, or anything else. */
export function parseImages(value: unknown): ChatResponse {
  const body = parseObject(value);
  if (!Array.isArray(body["data"]) || body["data"].length === 0) throw unreadableResponse();
  const usage = parseImageUsage(withImageOutput(readInputOutputUsage(body["usage"])), body["data"].length);
  return toResponse(withReportedCost(usage, body["usage"]));
}

/** Parses a stream of images: each ends with an event `….completed` that may report the usage so far. */
export function newImagesReader(): StreamReader {
  let usage: ReportedUsage;
  let images = 0;
  return {
    read({ event, data }): StreamPart[] {
      if (data === "[DONE]") return [];
      const body = parseEventData(data);
      if (body["error"] || event === "error" || body["type"] === "error") throw errorInside(body);
      if (!asText(body["type"])?.endsWith(".completed")) return [];
      images++;
      usage = withImageOutput(readInputOutputUsage(body["usage"])) ?? usage;
      return [];
    },
    end: () => [{ type: "finish", reason: "stop", usage: images > 0 ? parseImageUsage(usage, images) : usage }],
    isComplete: () => images > 0,
  };
}
