import type { Ending, Head, ResponseSink } from "../../core/call/detached-response.ts";
import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asObject } from "../../core/chat/json.ts";
import type { StreamEvent } from "../../core/wire/stream.ts";
import { createFrameSplitter } from "../../upstream/frame-splitter.ts";

/** The events that end a response, and `error`, which ends it too. */
const LAST = new Set(["response.completed", "response.incomplete", "response.failed", "error"]);
const TYPE = /"type"\s*:\s*"(response\.(?:completed|incomplete|failed)|error)"/;
const DONE = "[DONE]";

/** How a response ended: the last event, and its length as text. */
export type LastEvent = { readonly type: string; readonly event: Json; readonly characters: number };

/** Only events that may be the last one are parsed. */
function readLast({ event: name, data }: StreamEvent): LastEvent | undefined {
  if (name === undefined ? !TYPE.test(data) : !LAST.has(name)) return undefined;
  const event = asObject(parseExactJson(data));
  const type = event?.["type"];
  return event && typeof type === "string" && LAST.has(type) ? { type, event, characters: data.length } : undefined;
}

/** Sends the events of one streamed response as frames of a WebSocket, and keeps the last one. */
export class EventFrames implements ResponseSink {
  readonly #send: (data: string) => boolean;
  readonly #splitter = createFrameSplitter();
  last: LastEvent | undefined;
  hasBegun = false;
  isCut = false;

  /** `send` returns false if the call should wait. */
  constructor(send: (data: string) => boolean) {
    this.#send = send;
  }

  begin(_head: Head): void {
    // A WebSocket has no headers for a response.
  }

  add(bytes: Buffer): boolean {
    let goesOn = true;
    for (const { event } of this.#splitter.push(bytes)) goesOn = this.#pass(event) && goesOn;
    return goesOn;
  }

  end({ isWhole }: Ending): void {
    this.#pass(this.#splitter.end()?.event);
    this.isCut = !isWhole;
  }

  /** Comments, which keep HTTP connections open, and the mark of other APIs' ends are omitted. */
  #pass(event: StreamEvent | undefined): boolean {
    if (!event || event.data === DONE) return true;
    this.hasBegun = true;
    this.last = readLast(event) ?? this.last;
    return this.#send(event.data);
  }
}
