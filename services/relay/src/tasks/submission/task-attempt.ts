import { errors } from "undici";
import { asObject, asText, parseJson } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { Choice } from "../../core/call/channel.ts";
import { isRetryable } from "../../routing/retry-rules.ts";
import {
  createNoResponseError,
  retryAfterSeconds,
  createUnreadableResponseError,
} from "../../upstream/upstream-errors.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { UpstreamResponse } from "../../upstream/upstream-call.ts";
import type { TaskCall } from "../accounting/task-call.ts";
import { postJson, type SubmitResponse } from "../wire/task-platform.ts";

/** How one attempt ended. `canFailOver`: nothing was accepted, failover to another account is possible. */
export type Attempt =
  | { readonly outcome: "responded"; readonly response: SubmitResponse }
  | { readonly outcome: "failed"; readonly error: RelayError; readonly canFailOver: boolean };

const SUBMIT_TIMEOUT_MS = 60_000;
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** Failures before anything was sent: no upstream can have accepted the task. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function wasNeverSent(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof errors.ConnectTimeoutError) return true;
    if (NEVER_SENT.has(String((at as Error & { code?: unknown }).code))) return true;
    if (at instanceof AggregateError && at.errors.some(wasNeverSent)) return true;
  }
  return false;
}

function mappedStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const mapped = Number(mapping[String(status)] ?? status);
  return Number.isInteger(mapped) && mapped >= 400 && mapped <= 599 ? mapped : status;
}

/** An error status as a RelayError, with upstream's text if it sent any. */
function refused({ status, headers, body }: UpstreamResponse, { channel, key }: Choice, nowMs: number): RelayError {
  const sent = asObject(parseJson(body.toString("utf8")));
  const words =
    asText(asObject(sent?.["error"])?.["message"]) ?? asText(sent?.["description"]) ?? asText(sent?.["message"]);
  const message = (words ?? `upstream responded with status ${status}`).replaceAll(key, "***");
  const code = sent?.["code"];
  const shown = mappedStatus(status, channel.statusCodeMapping);
  const after = retryAfterSeconds(headers, nowMs);
  return new RelayError("upstream_error", message, {
    status: shown >= 400 ? shown : 502,
    upstream: {
      message,
      type: "upstream_error",
      code: typeof code === "string" || typeof code === "number" ? String(code) : undefined,
      param: undefined,
    },
    ...(after === undefined ? {} : { retryAfterSeconds: after }),
  });
}

/** Sends a submission to one account, once. */
export async function attemptTask(
  deps: { client: UpstreamClient; now: () => number },
  call: TaskCall,
  choice: Choice,
): Promise<Attempt> {
  const { channel, key } = choice;
  const url = channel.baseUrl + call.path;
  const sent = postJson(url, call.platform.headers(key), call.body, SUBMIT_TIMEOUT_MS);
  const request = { ...sent, ...through(channel.proxy) };
  let received: UpstreamResponse;
  try {
    // A client disconnect cancels nothing: upstream may have accepted the task already.
    received = await receiveResponse(deps.client, request, { bytesMax: RESPONSE_BYTES_MAX, onCancel: () => undefined });
  } catch (error) {
    return { outcome: "failed", error: createNoResponseError(error), canFailOver: wasNeverSent(error) };
  }
  if (received.status < 200 || received.status > 299) {
    const error = refused(received, choice, deps.now());
    return { outcome: "failed", error, canFailOver: isRetryable(error, channel.type) };
  }
  const body = asObject(parseJson(received.body.toString("utf8")));
  const response = body && call.platform.readSubmit(body, received.body, call.action);
  return response
    ? { outcome: "responded", response }
    : { outcome: "failed", error: createUnreadableResponseError(), canFailOver: false };
}
