import type { Writable } from "node:stream";
import type { Exchange } from "../../../core/call/exchange.ts";
import { writeStreamHead } from "../../../core/call/keep-alive.ts";
import { findChunkSocket, frameChunk } from "./chunk-framing.ts";

/** The content type of server-sent events. */
export const EVENTS = "text/event-stream; charset=utf-8";

export type ClientStream = {
  /** True once the headers and part of the response were sent: from then on no failover is possible. */
  readonly hasBegun: () => boolean;
  /** Batches the writes to the caller: everything produced by one upstream chunk is sent in one write. */
  readonly write: (bytes: string | Buffer) => void;
  readonly flush: () => void;
  /** The size of what was written and not sent. */
  readonly pendingBytes: () => number;
  /** Whether upstream is paused until the client has read what was sent. */
  readonly isBlocked: () => boolean;
};

type Hooks = {
  /** Called before the headers are sent; returns the content type if it is not that of server-sent events. */
  readonly onBegin: () => string | undefined;
  readonly pause: () => void;
  readonly resume: () => void;
};

/**
 * The client side of a streamed response. The headers are sent with the first bytes; a slow reader pauses upstream;
 * nothing is sent to a disconnected client.
 */
export const createClientStream = (exchange: Exchange, hooks: Hooks): ClientStream =>
  new ResponseStream(exchange, hooks);

class ResponseStream implements ClientStream {
  readonly #exchange: Exchange;
  readonly #hooks: Hooks;
  #outgoing: Buffer[] = [];
  /** Text behind the outgoing bytes, encoded in one piece. */
  #text = "";
  #bytes = 0;
  #begun = false;
  #paused = false;

  constructor(exchange: Exchange, hooks: Hooks) {
    this.#exchange = exchange;
    this.#hooks = hooks;
  }

  hasBegun(): boolean {
    return this.#begun;
  }

  isBlocked(): boolean {
    return this.#paused;
  }

  pendingBytes(): number {
    return this.#bytes + this.#text.length;
  }

  write(bytes: string | Buffer): void {
    if (typeof bytes === "string") this.#text += bytes;
    else if (bytes.length > 0) {
      this.#encodeText();
      this.#push(bytes);
    }
  }

  #encodeText(): void {
    if (this.#text === "") return;
    this.#push(Buffer.from(this.#text));
    this.#text = "";
  }

  #push(part: Buffer): void {
    this.#outgoing.push(part);
    this.#bytes += part.length;
  }

  flush(): void {
    this.#encodeText();
    if (this.#bytes === 0) return;
    const parts = this.#outgoing;
    const bytes = this.#bytes;
    this.#outgoing = [];
    this.#bytes = 0;
    if (this.#exchange.isDisconnected()) return;
    this.#exchange.keepAlive?.touch();
    this.#send(parts, bytes);
  }

  #send(parts: readonly Buffer[], bytes: number): void {
    const { response } = this.#exchange;
    const socket = this.#begun ? findChunkSocket(response) : undefined;
    if (socket) {
      if (!socket.write(frameChunk(parts, bytes))) this.#pause(socket);
      return;
    }
    if (!this.#begun) {
      this.#begun = true;
      writeStreamHead(this.#exchange, this.#hooks.onBegin() ?? EVENTS);
    }
    const [first] = parts;
    if (!response.write(parts.length === 1 ? first : Buffer.concat(parts, bytes))) this.#pause(response);
  }

  /** Pauses upstream until the client has read what was sent. */
  #pause(sink: Writable): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#hooks.pause();
    sink.once("drain", () => {
      this.#paused = false;
      this.#hooks.resume();
    });
  }
}
