import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

type Headers = Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** The status and headers of a response. */
export type Head = { readonly status: number; readonly headers: Headers };
/** How a response ended; an incomplete one was cut off. */
export type Ending = { readonly isWhole: boolean; readonly trailers: Readonly<Record<string, string>> };

/** Receives what a call writes as its response. */
export type ResponseSink = {
  readonly begin: (head: Head) => void;
  /** False if the call should wait for the response's `drain`. */
  readonly add: (bytes: Buffer) => boolean | void;
  readonly end: (ending: Ending) => void;
};

/** What a response reads of its request. */
const REQUEST = { method: "POST", httpVersionMajor: 1, httpVersionMinor: 1, headers: {} } as IncomingMessage;

/** A response without an HTTP connection: everything is written to a sink. */
export class DetachedResponse extends ServerResponse {
  override headersSent = false;
  override writableEnded = false;
  readonly #sink: ResponseSink;
  #trailers: Record<string, string> = {};

  constructor(sink: ResponseSink) {
    super(REQUEST);
    this.#sink = sink;
  }

  override writeHead(status: number, ...args: unknown[]): this {
    const headers = args.at(-1) as OutgoingHttpHeaders | undefined;
    this.headersSent = true;
    this.statusCode = status;
    this.#sink.begin({ status, headers: { ...this.getHeaders(), ...headers } });
    return this;
  }

  override write(chunk: unknown, encoding?: unknown): boolean {
    return this.#add(chunk, encoding);
  }

  override addTrailers(trailers: OutgoingHttpHeaders): void {
    for (const [name, value] of Object.entries(trailers)) this.#trailers[name] = String(value);
  }

  override end(chunk?: unknown, encoding?: unknown): this {
    this.#add(chunk, encoding);
    this.writableEnded = true;
    this.#sink.end({ isWhole: true, trailers: this.#trailers });
    return this;
  }

  /** The response is cut off. */
  override destroy(): this {
    this.writableEnded = true;
    this.#sink.end({ isWhole: false, trailers: this.#trailers });
    return this;
  }

  #add(chunk: unknown, encoding: unknown): boolean {
    if (Buffer.isBuffer(chunk)) return this.#sink.add(chunk) !== false;
    if (typeof chunk !== "string") return true;
    return this.#sink.add(Buffer.from(chunk, encoding as BufferEncoding | undefined)) !== false;
  }
}
