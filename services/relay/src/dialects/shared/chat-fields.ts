import type { CommonFields } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asNumber } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** Throws invalid_request for a field with an unexpected value. */
export function refuseField(param: string, expectation: string): never {
  throw new RelayError("invalid_request", `${param} must be ${expectation}`, { param });
}

/** The lower one of the caller's own limit and `tokens`. */
export const atMost = (value: unknown, tokens: number): number => Math.min(asNumber(value) ?? tokens, tokens);

const MAX_TOKENS_MAX = 1_073_741_823;
const LIMIT_FIELDS = ["max_tokens", "max_completion_tokens"] as const;

/** The limit of output tokens: the higher one if both fields are set. */
export function readOutputLimit(body: Json): number | undefined {
  let limit: number | undefined;
  for (const param of LIMIT_FIELDS) {
    const given = body[param];
    if (given === undefined || given === null) continue;
    const value = asNumber(given);
    if (value === undefined || !Number.isInteger(value) || value < 1 || value > MAX_TOKENS_MAX) {
      refuseField(param, `a whole number from 1 to ${MAX_TOKENS_MAX}`);
    }
    limit = Math.max(limit ?? 0, value);
  }
  return limit;
}

/**
 * Validates the fields shared by OpenAI's and Anthropic's chat; nested fields are validated where they are converted or
 * served.
 */
export function readChatFields(body: Json): CommonFields {
  const { model, stream, messages, stream_options: options } = body as Record<string, unknown>;
  if (typeof model !== "string" || model === "") refuseField("model", "a non-empty string");
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") refuseField("stream", "true or false");
  if (!Array.isArray(messages) || messages.length === 0) refuseField("messages", "a non-empty array");
  messages.forEach((message: unknown, index) => {
    if (typeof message !== "object" || message === null || typeof (message as Json)["role"] !== "string") {
      refuseField(`messages[${index}]`, "an object with a role");
    }
  });
  const includeUsage = typeof options === "object" && options !== null && (options as Json)["include_usage"] === true;
  return { model, stream: stream === true, includeUsage, maxOutputTokens: readOutputLimit(body) };
}
