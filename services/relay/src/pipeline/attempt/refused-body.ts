import { readExactJson } from "../../core/chat/exact-json.ts";
import type { ChatResponse } from "../../core/chat/chat.ts";
import { isNoResponse, type RelayError } from "../../core/errors/relay-error.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { isChatFormat } from "../../core/wire/wire-format.ts";
import { checkFinish } from "./finish-failures.ts";
import { createEventCollector, startsAsEvents } from "../../providers/shared/event-list.ts";
import { createUnreadableResponseError, toRelayError, toUpstreamError } from "../../upstream/upstream-errors.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Prepared } from "../prepare/prepared-request.ts";
import type { ResponseHeaders } from "../../upstream/upstream-call.ts";

/**
 * A response body that is not a stream: an error, an HTML page (status 0), or a non-streaming response (also status 0).
 */
export type RefusedBody = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly chunks: Buffer[];
  bytes: number;
  readonly bytesMax: number;
  readonly untilAt: number;
};

const ERROR_BYTES_MAX = 1024 * 1024;
const ERROR_MS_MAX = 10_000;
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
const RESPONSE_MS_MAX = 600_000;

/** An error, or an HTML page with a success status. */
const errorBody = (status: number, headers: ResponseHeaders): RefusedBody => ({
  status,
  headers,
  chunks: [],
  bytes: 0,
  bytesMax: ERROR_BYTES_MAX,
  untilAt: performance.now() + ERROR_MS_MAX,
});

const responseBody = (headers: ResponseHeaders): RefusedBody => ({
  ...errorBody(0, headers),
  bytesMax: RESPONSE_BYTES_MAX,
  untilAt: performance.now() + RESPONSE_MS_MAX,
});

/** Starts collecting a response body that is not a stream; undefined for a stream. */
export function beginUnstreamed(
  status: number,
  headers: ResponseHeaders,
  { provider, isSynthesizedStream = false }: Pick<Prepared, "provider" | "isSynthesizedStream">,
): RefusedBody | undefined {
  if (status < 200 || status > 299) return errorBody(status, headers);
  if (provider.streaming?.neverStreams) return undefined;
  const type = String(headers["content-type"] ?? "");
  if (type.includes("html")) return errorBody(0, headers);
  // Some providers omit the content type; a JSON document is never a stream.
  const isWhole = type.includes("application/json") || (isSynthesizedStream && !type.includes("event-stream"));
  return isWhole ? responseBody(headers) : undefined;
}

/** Adds a chunk; returns true when collection stops, so that a slow body does not delay failover. */
export function addPiece(body: RefusedBody, chunk: Buffer): boolean {
  body.bytes += chunk.length;
  if (body.bytes > body.bytesMax) return true;
  body.chunks.push(chunk);
  return performance.now() > body.untilAt;
}

type Refused = {
  readonly call: RelayCall;
  readonly prepared: Pick<Prepared, "provider">;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
};

/** Reads a collected body: an error, or the non-streaming response that upstream sent instead of a stream. */
export function readUnstreamed(
  { status, headers, chunks }: RefusedBody,
  { call, prepared: { provider }, statusCodeMapping }: Refused,
  nowMs: number,
): ChatResponse | RelayError {
  const body = Buffer.concat(chunks);
  if (status === 0) return readSuccess(body, provider, call);
  return toUpstreamError({ response: { status, headers, body }, provider, statusCodeMapping, nowMs });
}

/** Events whose content type is that of a document. */
function collectEvents(body: Buffer, provider: Provider): ChatResponse {
  const events = createEventCollector(provider);
  events.isComplete(body);
  return events.response();
}

/**
 * Parses a 200 response that is not a stream: a non-streaming response, an error document sent with status 200, or an
 * unreadable body.
 */
function readSuccess(body: Buffer, provider: Provider, { content }: RelayCall): ChatResponse | RelayError {
  try {
    const response = startsAsEvents(body)
      ? collectEvents(body, provider)
      : provider.parseResponse(readExactJson(body.toString("utf8")));
    checkFinish(response);
    const isResponse = isChatFormat(provider.wireFormat) && response.parts.length > 0;
    if (isResponse) return content ? content.filterResponse(response) : response;
  } catch (error) {
    const relayError = toRelayError(error);
    if (!isNoResponse(relayError.upstream)) return relayError;
  }
  return createUnreadableResponseError();
}
