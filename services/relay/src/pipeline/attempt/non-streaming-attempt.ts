import type { ChatResponse } from "../../core/chat/chat.ts";
import { toUpstreamError, toRelayError, createUnreadableResponseError } from "../../upstream/upstream-errors.ts";
import { parseJson as parseText } from "../../core/chat/json.ts";
import {
  type ResponseHeaders,
  type OnCancel,
  type OutgoingRequest,
  receiveResponse,
  type UpstreamResponse,
} from "../../upstream/upstream-client.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import { isChatFormat } from "../../core/wire/wire-format.ts";
import { createEventCollector, type EventCollector } from "../../providers/shared/event-list.ts";
import { createFollowUp, type FollowUpDeps } from "./post-processing.ts";
import type { Prepared } from "../prepare/request-preparation.ts";

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A non-streaming response: `raw` is sent to a caller of the same format byte by byte; undefined if upstream streamed
 * it.
 */
export type NonStreamingResult = {
  readonly response: ChatResponse;
  readonly raw: Buffer | undefined;
  readonly headers: ResponseHeaders;
};

/** Some upstreams always stream, whatever the request says. */
const isEventStream = ({ wireFormat, finish }: Provider, headers: ResponseHeaders): boolean =>
  finish === undefined && isChatFormat(wireFormat) && /^text\/event-stream/i.test(String(headers["content-type"]));

/** Sends the request, and once more if upstream's error asks for a different form. */
async function receive(
  deps: FollowUpDeps,
  { provider, request }: Prepared,
  onCancel: OnCancel,
): Promise<{ answer: UpstreamResponse; events: EventCollector | undefined }> {
  const ask = async (sent: OutgoingRequest) => {
    let events = provider.streaming?.respondsInEvents ? createEventCollector(provider) : undefined;
    const isEnough = (chunk: Buffer, headers: ResponseHeaders): boolean => {
      if (isEventStream(provider, headers)) events ??= createEventCollector(provider);
      return events?.isComplete(chunk) ?? false;
    };
    const answer = await receiveResponse(deps.client, sent, { bytesMax: ANSWER_BYTES_MAX, onCancel, isEnough });
    return { answer, events };
  };
  const first = await ask(request);
  const { status, body } = first.answer;
  const other =
    status === 400 ? provider.requests?.getFallbackBody?.(body.toString("utf8"), String(request.body)) : undefined;
  return other === undefined ? first : ask({ ...request, body: other });
}

/** Makes one attempt at a non-streaming response; throws the RelayError of any failure. */
export async function attemptNonStreaming(
  deps: FollowUpDeps & { now: () => number },
  prepared: Prepared,
  statusCodeMapping: Readonly<Record<string, string>>,
  onCancel: OnCancel,
): Promise<NonStreamingResult> {
  const { provider, request } = prepared;
  try {
    const { answer, events } = await receive(deps, prepared, onCancel);
    if (answer.status < 200 || answer.status > 299) {
      throw toUpstreamError({ answer, provider, statusCodeMapping, nowMs: deps.now() });
    }
    if (prepared.finish) {
      const done = await prepared.finish(answer, createFollowUp(deps, request.proxy, onCancel));
      const headers = { ...answer.headers, "content-type": done.contentType };
      return { response: done.response ?? readWhole(provider, done.body), raw: done.body, headers };
    }
    const { body, headers } = answer;
    if (events) return { response: events.response(), raw: undefined, headers };
    return { response: readWhole(provider, body), raw: body, headers };
  } catch (error) {
    throw toRelayError(error);
  }
}

const readWhole = (provider: Provider, body: Buffer): ChatResponse =>
  provider.parseResponse(provider.responses?.returnsText ? parseAny(body) : parseJson(body));

/** Parsed JSON if the text is valid JSON, else the text itself. */
function parseAny(body: Buffer): unknown {
  const text = body.toString("utf8");
  return parseText(text) ?? text;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw createUnreadableResponseError(cause);
  }
}
