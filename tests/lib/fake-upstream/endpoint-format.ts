import { openaiFormat } from "./openai-format.ts";
import type { ServedUsage } from "./scenario.ts";
import {
  type JsonObject,
  type ReceivedRequest,
  type Refusal,
  type Requested,
  textIn,
  type WireFormat,
} from "./wire-format.ts";

export const bad = (message: string): Refusal => ({ status: 400, message, type: "invalid_request_error" });

/** Parses a body that must name a model and have content under some names. */
export const reading =
  (...fields: readonly string[]) =>
  ({ body }: ReceivedRequest): Requested | Refusal => {
    const { model, stream } = body;
    if (typeof model !== "string" || model === "") return bad("you must provide a model parameter");
    const missing = fields.find((field) => body[field] === undefined || body[field] === "");
    if (missing !== undefined) return bad(`Missing required parameter: '${missing}'.`);
    const options = body["stream_options"] as JsonObject | undefined;
    return {
      model,
      stream: stream === true,
      promptText: fields.map((field) => textIn(body[field])).join("\n"),
      includesUsage: options?.["include_usage"] === true,
      count: Number(body["n"] ?? 1) || 1,
    };
  };

/** A format of OpenAI's, except for what is given. */
export const endpoint = (given: Pick<WireFormat, "read" | "whole"> & Partial<WireFormat>): WireFormat => ({
  ...openaiFormat,
  ...given,
});

/** Token usage in the field names of the newer endpoints. */
export const tokensUsage = (usage: ServedUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedTokens,
    text_tokens: usage.inputTokens - usage.imageInputTokens - usage.audioInputTokens,
    image_tokens: usage.imageInputTokens,
    audio_tokens: usage.audioInputTokens,
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
});
