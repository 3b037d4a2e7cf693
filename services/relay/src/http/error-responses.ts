import type { Logger } from "@turnpike/shared/log/log";
import { createRateLimitedLog } from "@turnpike/shared/log/rate-limited-log";
import { type Exchange, sendJson } from "../core/call/exchange.ts";
import { anthropicMessages } from "../dialects/anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../dialects/openai-chat/openai-chat.ts";
import { getFailureCause } from "../core/errors/failure-cause.ts";
import { isQuotaError, RelayError } from "../core/errors/relay-error.ts";
import { taskErrorForm } from "../tasks/accounting/task-errors.ts";
import { isFixedCallPath } from "./routes/route-table.ts";

type WriteError = (error: RelayError, requestId: string) => unknown;

/**
 * Google's model methods are in camel case after a colon; any other text after a colon is part of the name (llama3:8b).
 */
const GOOGLE_CALL = /\/models\/.+:(?:[a-z]+[A-Z]\w*|predict)$/;

/** The error format for a path. Google's clients use `v1` as well; they are recognized by where they send their key. */
export function getErrorWriter(path: string, headers: Readonly<Record<string, unknown>>): WriteError {
  if (/^(\/upload)?\/v1beta(?!\/openai\/)/.test(path) || GOOGLE_CALL.test(path)) return geminiGenerate.writeError;
  if (headers["x-goog-api-key"] !== undefined && !isFixedCallPath(path)) return geminiGenerate.writeError;
  if (/^((\/hf)?\/v1)?\/messages/.test(path) || headers["anthropic-version"] !== undefined)
    return anthropicMessages.writeError;
  return taskErrorForm(path) ?? openAiChat.writeError;
}

/**
 * The status and headers of an error. OpenAI reports a spent balance as 429, which its clients explain; the header, which the
 * official SDKs read, stops them from repeating such a call (docs/decisions/056).
 */
function getHead(error: RelayError, write: WriteError): { status: number; headers: Record<string, string> } {
  const { status, retryAfterSeconds } = error;
  if (isQuotaError(error) && write === openAiChat.writeError)
    return { status: 429, headers: { "x-should-retry": "false" } };
  if (getFailureCause(error) === "quota") return { status, headers: { "x-should-retry": "false" } };
  return { status, headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) } };
}

/**
 * Sends a failure in the caller's format. Anything that is not a RelayError is a bug: 500, with details only in the
 * log.
 */
export function createErrorResponder(log: Logger) {
  const warn = createRateLimitedLog(log);
  return (exchange: Exchange, error: unknown, write: WriteError): void => {
    const known =
      error instanceof RelayError
        ? error
        : new RelayError("internal_error", "an internal error occurred", { cause: error });
    const facts = { err: known, requestId: exchange.requestId };
    if (known.code === "internal_error") log.error({ ...facts, err: error }, "call failed unexpectedly");
    else if (known.code === "service_unavailable" && known.cause !== undefined)
      warn(known.message, facts, "call could not be served");
    else if (known.cause !== undefined) log.debug(facts, "call refused");
    if (exchange.response.headersSent) {
      // Too late for a status: aborting the connection is the only remaining signal.
      exchange.response.destroy();
      return;
    }
    const { status, headers } = getHead(known, write);
    sendJson(exchange, status, JSON.stringify(write(known, exchange.requestId)), headers);
  };
}
