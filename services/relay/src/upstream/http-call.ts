import type { Dispatcher } from "undici";
import { type Decompressor, createDecompressor } from "./decompression.ts";
import type { ResponseHeaders, ResponseSink, UpstreamCall } from "./upstream-call.ts";

/** A direct connection also reports whether what was written has left this process; undici does not. */
type Controller = Dispatcher.DispatchController & { readonly isFlushed?: () => boolean };

/** A call in progress on undici's dispatcher: decompresses the response and passes it to the sink. */
export class HttpCall implements Dispatcher.DispatchHandler, UpstreamCall {
  readonly #sink: ResponseSink;
  #controller: Controller | undefined;
  #isAborted = false;
  #isSent = false;
  #decompressor: Decompressor | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#decompressor?.abandon();
    this.#controller?.abort(new Error("aborted"));
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  isSent(): boolean {
    return this.#isSent && this.#controller?.isFlushed?.() !== false;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isAborted) controller.abort(new Error("aborted"));
  }

  onRequestSent(): void {
    this.#isSent = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // Informational responses (103) precede the final one.
    if (this.#isAborted || status < 200) return;
    if (headers["content-encoding"] !== undefined) this.#decompress(headers);
    this.#sink.head(status, headers);
  }

  #decompress(headers: ResponseHeaders): void {
    const sink = this.#sink;
    // Upstream need not send the rest of a body that cannot be decompressed.
    const fail = (error: Error): void => {
      this.abort();
      sink.fail(error);
    };
    this.#decompressor = createDecompressor(headers, { ...sink, fail });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isAborted) (this.#decompressor ?? this.#sink).data(chunk);
  }

  onResponseEnd(): void {
    if (!this.#isAborted) (this.#decompressor ?? this.#sink).end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isAborted) return;
    this.#decompressor?.abandon();
    this.#sink.fail(error);
  }
}
