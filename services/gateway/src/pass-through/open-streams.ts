import { ActiveList } from "@turnpike/shared/concurrency/active-list";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MODEL_API_PATHS, MODEL_API_PATTERNS } from "@turnpike/contract/api/models/model-api-paths";
import { GATEWAY_STOPPING } from "./pass-through-errors.ts";

const { code: CODE, message: MESSAGE } = GATEWAY_STOPPING;

type OpenStream = {
  readonly source: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly requestId: string;
  /** The newest bytes passed on. */
  last: Buffer | undefined;
  /** The number of the newest event, for streams that number them. */
  number: string | undefined;
  /** The id and the model of the response, if its first bytes have them. */
  named: Readonly<Record<string, string>> | undefined;
};

const NAMES = /"(id|model)"\s*:\s*"([^"\\]*)"/g;
const NUMBER_NAME = '"sequence_number"';
const NUMBER = /:\s*(\d+)/;
const NUMBER_BYTES = 48;
/** The first event begins with what its response is, which may be followed by a long request. */
const NAMED_BYTES = 4_096;

const readNames = (first: Buffer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(first.toString("latin1", 0, NAMED_BYTES).matchAll(NAMES), ([, name = "", value = ""]) => [name, value]),
  );

/** Reads what the event that ends the response needs. */
function recordResponseId(stream: OpenStream, chunk: Buffer): void {
  stream.named ??= readNames(chunk);
  const newest = chunk.lastIndexOf(NUMBER_NAME);
  if (newest >= 0) stream.number = NUMBER.exec(chunk.toString("latin1", newest, newest + NUMBER_BYTES))?.[1];
}

/** The last event of the Responses API: a response that failed, with the number after the newest event's. */
function toFailedResponse({ named, number, requestId }: OpenStream, message: string): string {
  const response = {
    id: `resp_${requestId}`,
    created_at: Math.floor(Date.now() / 1000),
    ...named,
    object: "response",
    status: "failed",
    error: { code: CODE, message },
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const event = { type: "response.failed", sequence_number: number === undefined ? 0 : Number(number) + 1, response };
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An error event in the format of the stream's API. */
function toErrorEvent(stream: OpenStream): string {
  const { path, requestId } = stream;
  const message = `${MESSAGE} (request id: ${requestId})`;
  if (path.endsWith(MODEL_API_PATHS.messages)) {
    const error = { type: "api_error", message };
    return `event: error\ndata: ${JSON.stringify({ type: "error", error, request_id: requestId })}\n\n`;
  }
  if (MODEL_API_PATTERNS.geminiMethod.pattern.test(path))
    return `data: ${JSON.stringify({ error: { code: 503, message, status: "UNAVAILABLE" } })}\n\n`;
  if (path.endsWith(MODEL_API_PATHS.responses)) return toFailedResponse(stream, message);
  return `data: ${JSON.stringify({ error: { message, type: "turnpike_error", param: null, code: CODE } })}\n\n`;
}

/** Between two events, where another event can be added. */
function isBetweenEvents(last: Buffer | undefined): boolean {
  if (last === undefined) return true;
  const end = last.toString("latin1", Math.max(0, last.length - 4));
  return end.endsWith("\n\n") || end.endsWith("\r\n\r\n");
}

/**
 * Event streams that are being passed through. A gateway that stops ends those that outlive its grace period with an
 * error event, which clients can distinguish from a lost connection.
 */
export class OpenStreams {
  readonly #open = new ActiveList<OpenStream>();
  #isEnding = false;

  add(source: IncomingMessage, response: ServerResponse, facts: { path: string; requestId: string }): void {
    const stream: OpenStream = { source, response, ...facts, last: undefined, number: undefined, named: undefined };
    const namesResponse = facts.path.endsWith(MODEL_API_PATHS.responses);
    const place = this.#open.add(stream);
    const onData = (chunk: Buffer): void => {
      if (namesResponse) recordResponseId(stream, chunk);
      stream.last = chunk;
      if (this.#isEnding) this.#end(stream);
    };
    source.on("data", onData);
    response.once("close", () => this.#open.remove(place));
  }

  /** Ends each stream after the event that is being passed on. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open.list()) this.#end(stream);
  }

  #end(stream: OpenStream): void {
    const { source, response, last } = stream;
    if (!isBetweenEvents(last) || response.writableEnded || response.destroyed) return;
    source.unpipe(response);
    response.end(toErrorEvent(stream));
    // The relay learns that the client is disconnected.
    source.destroy();
  }
}
