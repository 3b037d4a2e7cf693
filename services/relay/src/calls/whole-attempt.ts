import type { ChatResponse } from "../chat/chat.ts";
import { refusedAnswer, toRelayError, unreadableAnswer } from "../upstream/failures.ts";
import { parseJson as parseText } from "../chat/json.ts";
import { type AnswerHeaders, type OnCancel, receiveWhole } from "../upstream/upstream-client.ts";
import type { Provider } from "../providers/provider.ts";
import { createEventCollector } from "../providers/read-events.ts";
import { createFollowUp, type FollowUpDeps } from "./follow-up.ts";
import type { Prepared } from "./prepare-request.ts";

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** A whole answer: `raw` is what goes to a caller of the same format, byte by byte. */
export type WholeResult = {
  readonly response: ChatResponse;
  readonly raw: Buffer;
  readonly headers: AnswerHeaders;
};

/** Makes one attempt at a whole answer; throws the RelayError of whatever went wrong. */
export async function attemptWhole(
  deps: FollowUpDeps & { now: () => number },
  prepared: Prepared,
  statusCodeMapping: Readonly<Record<string, string>>,
  onCancel: OnCancel,
): Promise<WholeResult> {
  const { provider, request } = prepared;
  try {
    const events = provider.answersInEvents ? createEventCollector(provider) : undefined;
    const limits = { bytesMax: ANSWER_BYTES_MAX, onCancel };
    const answer = await receiveWhole(
      deps.client,
      request,
      events ? { ...limits, isEnough: events.isComplete } : limits,
    );
    if (answer.status < 200 || answer.status > 299) {
      throw refusedAnswer({ answer, provider, statusCodeMapping, nowMs: deps.now() });
    }
    if (prepared.finish) {
      const done = await prepared.finish(answer, createFollowUp(deps, request.proxy, onCancel));
      const headers = { ...answer.headers, "content-type": done.contentType };
      return { response: done.response ?? readWhole(provider, done.body), raw: done.body, headers };
    }
    const { body, headers } = answer;
    if (events) return { response: events.response(), raw: body, headers };
    return { response: readWhole(provider, body), raw: body, headers };
  } catch (error) {
    throw toRelayError(error);
  }
}

const readWhole = (provider: Provider, body: Buffer): ChatResponse =>
  provider.parseResponse(provider.answersText ? parseAny(body) : parseJson(body));

/** JSON where it is some, else the text itself. */
function parseAny(body: Buffer): unknown {
  const text = body.toString("utf8");
  return parseText(text) ?? text;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
}
