import type { ChatResponse } from "../../core/chat/chat.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { isChatFormat } from "../../core/wire/wire-format.ts";
import { toRelayError, createUnreadableResponseError } from "../../upstream/upstream-errors.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Prepared } from "../prepare/request-preparation.ts";
import type { AnswerHeaders } from "../../upstream/upstream-client.ts";

/** What came instead of a stream: an error, a page (status 0), or a whole answer (status 0 as well). */
export type RefusedBody = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly chunks: Buffer[];
  bytes: number;
  readonly bytesMax: number;
  readonly untilAt: number;
};

const ERROR_BYTES_MAX = 1024 * 1024;
const ERROR_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ANSWER_MS_MAX = 600_000;

/** An error, or what has a good status and is a page. */
const errorBody = (status: number, headers: AnswerHeaders): RefusedBody => ({
  status,
  headers,
  chunks: [],
  bytes: 0,
  bytesMax: ERROR_BYTES_MAX,
  untilAt: performance.now() + ERROR_MS_MAX,
});

const answerBody = (headers: AnswerHeaders): RefusedBody => ({
  ...errorBody(0, headers),
  bytesMax: ANSWER_BYTES_MAX,
  untilAt: performance.now() + ANSWER_MS_MAX,
});

/** Begins to collect what is no stream; undefined for one. */
export function beginUnstreamed(
  status: number,
  headers: AnswerHeaders,
  { provider, isSynthesizedStream = false }: Pick<Prepared, "provider" | "isSynthesizedStream">,
): RefusedBody | undefined {
  if (status < 200 || status > 299) return errorBody(status, headers);
  if (provider.answersWhole) return undefined;
  const type = String(headers["content-type"] ?? "");
  if (type.includes("html")) return errorBody(0, headers);
  // Some providers forget the type; a JSON document is surely no stream.
  const isWhole = type.includes("application/json") || (isSynthesizedStream && !type.includes("event-stream"));
  return isWhole ? answerBody(headers) : undefined;
}

/** Adds a piece; true when no more of it is waited for: a body that trickles would else keep its caller from other channels. */
export function addPiece(body: RefusedBody, chunk: Buffer): boolean {
  body.bytes += chunk.length;
  if (body.bytes > body.bytesMax) return true;
  body.chunks.push(chunk);
  return performance.now() > body.untilAt;
}

/** A 200 that is no stream: an answer sent whole all the same, an error document, as some providers send, or something unreadable. */
export function readUnstreamed(body: Buffer, provider: Provider, { content }: RelayCall): ChatResponse | RelayError {
  try {
    const response = provider.parseResponse(JSON.parse(body.toString("utf8")));
    const isAnswer = isChatFormat(provider.wireFormat) && response.parts.length > 0;
    if (isAnswer) return content ? content.filterResponse(response) : response;
  } catch (error) {
    const relayError = toRelayError(error);
    if (relayError.upstream?.code !== "no_answer") return relayError;
  }
  return createUnreadableResponseError();
}
