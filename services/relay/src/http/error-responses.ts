import type { Logger } from "@turnpike/shared/log/log";
import { createRateLimitedLog } from "@turnpike/shared/log/rate-limited-log";
import { type Exchange, sendJson } from "../core/call/exchange.ts";
import { anthropicMessages } from "../dialects/anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../dialects/openai-chat/openai-chat.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { taskErrorForm } from "./tasks/task-errors.ts";
import { ROUTES } from "./routes/route-table.ts";

type WriteError = (error: RelayError, requestId: string) => unknown;

/** Google's calls of a model are named in camel case behind a colon; what else follows one belongs to the name (llama3:8b). */
const GOOGLE_CALL = /\/models\/.+:(?:[a-z]+[A-Z]\w*|predict)$/;

/** Which error form a path's callers read. Google's clients ask under `v1` as well; they are known by where they put their key. */
export function getErrorWriter(path: string, headers: Readonly<Record<string, unknown>>): WriteError {
  if (/^(\/upload)?\/v1beta/.test(path) || GOOGLE_CALL.test(path)) return geminiGenerate.writeError;
  if (headers["x-goog-api-key"] !== undefined && ROUTES[path] === undefined) return geminiGenerate.writeError;
  if (/^(\/hf)?\/v1\/messages/.test(path) || headers["anthropic-version"] !== undefined)
    return anthropicMessages.writeError;
  return taskErrorForm(path) ?? openAiChat.writeError;
}

/** Answers a failure in the caller's form. Anything that is not a RelayError is a bug: 500, details in the log alone. */
export function createErrorResponder(log: Logger) {
  const warn = createRateLimitedLog(log);
  return (exchange: Exchange, error: unknown, write: WriteError): void => {
    const known =
      error instanceof RelayError
        ? error
        : new RelayError("internal_error", "an internal error happened", { cause: error });
    const facts = { err: known, requestId: exchange.requestId };
    if (known.code === "internal_error") log.error({ ...facts, err: error }, "a call failed unexpectedly");
    else if (known.code === "service_unavailable" && known.cause !== undefined)
      warn(known.message, facts, "a call could not be served");
    else if (known.cause !== undefined) log.debug(facts, "a call was refused");
    if (exchange.response.headersSent) {
      // Too late for a status: cutting the connection is the one honest sign left.
      exchange.response.destroy();
      return;
    }
    const headers = known.retryAfterSeconds === undefined ? {} : { "retry-after": String(known.retryAfterSeconds) };
    sendJson(exchange, known.status, JSON.stringify(write(known, exchange.requestId)), headers);
  };
}
