import type { ResponseContext } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asNumber, asObject, asText } from "../../core/chat/json.ts";
import { getFailureCause } from "../../core/errors/failure-cause.ts";
import { isQuotaError, type RelayError } from "../../core/errors/relay-error.ts";
import type { StreamEvent } from "../../core/wire/stream.ts";
import { getOpenAiWords } from "../openai-chat/openai-words.ts";
import { errorText } from "../shared/error-text.ts";
import { envelope } from "./responses-wire.ts";

/** The event that ends a response that failed. */
export const FAILED = "response.failed";

const getCode = (error: RelayError): string => {
  if (error.upstream) {
    if (getFailureCause(error) === undefined) return error.upstream.code ?? "server_error";
    const { code } = getOpenAiWords(error);
    return code === "content_filter" ? "invalid_prompt" : code;
  }
  return isQuotaError(error) ? "insufficient_quota" : error.code;
};

/** What is known of a response before it fails. */
type Begun = {
  /** The response as upstream created it, where its events are passed through. */
  readonly created: Json | undefined;
  readonly output: readonly Json[];
  readonly requestId: string;
};

/** Clients read from the text how long to wait. */
function getMessage(error: RelayError, requestId: string): string {
  const message = errorText(error, requestId);
  const seconds = error.retryAfterSeconds ?? error.upstream?.retryAfterSeconds;
  const isLimit = getFailureCause(error) === "rate-limit";
  if (!isLimit || seconds === undefined || /try again in/i.test(message)) return message;
  return `${message} Please try again in ${seconds}s.`;
}

/** A failed response without output. */
export const toFailedResponse = (
  context: ResponseContext,
  error: RelayError,
  { created, output, requestId }: Begun,
): Json => ({
  ...(created ?? envelope(context)),
  status: "failed",
  completed_at: null,
  error: { code: getCode(error), message: getMessage(error, requestId) },
  output,
  usage: null,
});

/** The number of an event, and the response in it without its longest fields. */
export function readSentEvent(data: string): { readonly number?: number; readonly response?: Json } {
  const event = asObject(parseExactJson(data));
  const number = asNumber(event?.["sequence_number"]);
  const response = asObject(event?.["response"]);
  return {
    ...(number === undefined ? {} : { number }),
    ...(response ? { response: { ...response, instructions: null, tools: [] } } : {}),
  };
}

/** An object with the message that the client may see in its `error`, or in itself. */
function withMessage(holder: Json, message: string): Json {
  const inner = asObject(holder["error"]);
  const own = asText(holder["message"]) === undefined ? {} : { message };
  return { ...holder, ...own, ...(inner ? { error: { ...inner, message } } : {}) };
}

/**
 * Upstream's own failure event with the message that the client may see; undefined if the client must not see its code.
 * `isEnd`: it ends the response, as `error` alone does not for all clients.
 */
export function rewriteFailure(
  { event: name, data }: StreamEvent,
  error: RelayError,
): { readonly event: StreamEvent; readonly isEnd: boolean } | undefined {
  const body = asObject(parseExactJson(data));
  const type = asText(body?.["type"]) ?? name;
  const holder = type === FAILED ? asObject(body?.["response"]) : body;
  if (!body || !holder || (type !== FAILED && type !== "error")) return undefined;
  const code = asText(asObject(holder["error"])?.["code"]) ?? asText(holder["code"]);
  if (code !== undefined && code !== error.upstream?.code) return undefined;
  const shown = withMessage(holder, error.message);
  const written = JSON.stringify(type === FAILED ? { ...body, response: shown } : shown);
  return { event: { event: name, data: written }, isEnd: type === FAILED };
}
