import type { ChatResponse } from "../../core/chat/chat.ts";
import { toUpstreamError, toRelayError, createUnreadableResponseError } from "../../upstream/upstream-errors.ts";
import { parseExactJson, readExactJson } from "../../core/chat/exact-json.ts";
import { receiveResponse } from "../../upstream/upstream-client.ts";
import type {
  CallProgress,
  ResponseHeaders,
  OnCancel,
  OutgoingRequest,
  UpstreamResponse,
} from "../../upstream/upstream-call.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { isChatFormat } from "../../core/wire/wire-format.ts";
import { createEventCollector, type EventCollector, startsAsEvents } from "../../providers/shared/event-list.ts";
import { checkFinish } from "./finish-failures.ts";
import { createFollowUp, type FollowUpDeps } from "./post-processing.ts";
import type { Prepared } from "../prepare/prepared-request.ts";

const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A non-streaming response: `raw` is sent to a caller of the same format byte by byte; undefined if upstream streamed
 * it in pieces.
 */
export type NonStreamingResult = {
  readonly response: ChatResponse;
  readonly raw: Buffer | undefined;
  readonly headers: ResponseHeaders;
};

/** How an attempt is cancelled; `progress` then reports how far it was. */
export type Cancellation = { readonly onCancel: OnCancel; readonly progress?: CallProgress };

/** Some upstreams always stream, even for a non-streaming request. */
const mayStream = ({ wireFormat, finish }: Provider): boolean => finish === undefined && isChatFormat(wireFormat);
const isEventType = (headers: ResponseHeaders): boolean => /^text\/event-stream/i.test(String(headers["content-type"]));

/**
 * Detects the events of a body by its content type or its first bytes, and collects them; returns whether the response is
 * complete.
 */
function createDetection(provider: Provider) {
  let events = provider.streaming?.respondsInEvents ? createEventCollector(provider) : undefined;
  let isDecided = !mayStream(provider);
  let head: Buffer | undefined;
  return {
    isEnough(chunk: Buffer, headers: ResponseHeaders): boolean {
      if (events || isDecided) return events?.isComplete(chunk) ?? false;
      const start = head ? Buffer.concat([head, chunk]) : chunk;
      const isEvents = isEventType(headers) || startsAsEvents(start);
      head = start;
      if (isEvents === undefined) return false;
      isDecided = true;
      if (isEvents) events = createEventCollector(provider);
      return events?.isComplete(start) ?? false;
    },
    events: () => events,
  };
}

/** Sends the request, and once more if upstream's error requires a different form. */
async function receive(
  deps: FollowUpDeps,
  { provider, request }: Prepared,
  cancellation: Cancellation,
): Promise<{ response: UpstreamResponse; events: EventCollector | undefined }> {
  const send = async (sent: OutgoingRequest) => {
    const { isEnough, events } = createDetection(provider);
    const limits = { bytesMax: RESPONSE_BYTES_MAX, isEnough, ...cancellation };
    const response = await receiveResponse(deps.client, sent, limits);
    return { response, events: events() };
  };
  const first = await send(request);
  const { status, body } = first.response;
  const other =
    status === 400 ? provider.requests?.getFallbackBody?.(body.toString("utf8"), String(request.body)) : undefined;
  return other === undefined ? first : send({ ...request, body: other });
}

/** Makes one attempt at a non-streaming response; throws the RelayError of any failure. */
export async function attemptNonStreaming(
  deps: FollowUpDeps & { now: () => number },
  prepared: Prepared,
  statusCodeMapping: Readonly<Record<string, string>>,
  cancellation: Cancellation,
): Promise<NonStreamingResult> {
  const { provider, request } = prepared;
  try {
    const { response, events } = await receive(deps, prepared, cancellation);
    if (response.status < 200 || response.status > 299) {
      throw toUpstreamError({ response, provider, statusCodeMapping, nowMs: deps.now() });
    }
    if (prepared.finish) {
      const done = await prepared.finish(response, createFollowUp(deps, request.proxy, cancellation.onCancel));
      const headers = { ...response.headers, "content-type": done.contentType };
      return { response: done.response ?? readBody(provider, done.body), raw: done.body, headers };
    }
    const { body, headers } = response;
    if (!events && prepared.passThrough) return { response: readBody(provider, body), raw: body, headers };
    const parsed = events ? events.response() : readBody(provider, body);
    const complete = prepared.passThrough ? events?.complete() : undefined;
    if (complete) return { response: parsed, raw: Buffer.from(JSON.stringify(complete)), headers };
    checkFinish(parsed);
    return { response: parsed, raw: events ? undefined : body, headers };
  } catch (error) {
    throw toRelayError(error);
  }
}

const readBody = (provider: Provider, body: Buffer): ChatResponse =>
  provider.parseResponse(provider.responses?.returnsText ? parseAny(body) : parseJson(body));

/** Parsed JSON if the text is valid JSON, else the text itself. */
function parseAny(body: Buffer): unknown {
  const text = body.toString("utf8");
  return parseExactJson(text) ?? text;
}

function parseJson(body: Buffer): unknown {
  try {
    return readExactJson(body.toString("utf8"));
  } catch (cause) {
    throw createUnreadableResponseError(cause);
  }
}
