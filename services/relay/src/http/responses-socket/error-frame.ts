import { asObject } from "../../core/chat/json.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";

/** An error as an event: the HTTP status, and the error object of the HTTP response. Source: Open Responses, WebSocketErrorEvent. */
export function writeErrorFrame(error: RelayError, requestId: string): string {
  const written = asObject(openAiResponses.writeError(error, requestId));
  const { status, retryAfterSeconds } = error;
  const headers = retryAfterSeconds === undefined ? {} : { headers: { "retry-after": String(retryAfterSeconds) } };
  return JSON.stringify({ type: "error", status, error: written?.["error"], ...headers });
}
