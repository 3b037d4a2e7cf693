import { type Dispatcher, errors } from "undici";
import type { WireRequest } from "./request-head.ts";
import type { ResponseHead } from "./response-head.ts";

/** A request, and its time limits in milliseconds: until the head of the response, and between parts of its body. */
export type TimedRequest = WireRequest & { readonly headersTimeoutMs: number; readonly bodyTimeoutMs: number };

/** What an exchange does with the connection that it was written to. */
type Carrier = {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly isFlushed: () => boolean;
  readonly destroy: () => void;
};

/**
 * One request and its response on a connection. Reports to an undici handler, so that calls through proxies and direct
 * ones are served alike. Ends exactly once, with `onResponseEnd` or `onResponseError`.
 */
export class ClientExchange implements Dispatcher.DispatchController {
  readonly request: TimedRequest;
  readonly #handler: Dispatcher.DispatchHandler;
  #connection: Carrier | undefined;
  #hasHead = false;
  #isEnded = false;
  #isPaused = false;
  /** When upstream last sent data, or the request was written. */
  #heardAtMs = 0;
  reason: Error | null = null;
  readonly rawHeaders = null;
  readonly rawTrailers = null;

  constructor(request: TimedRequest, handler: Dispatcher.DispatchHandler) {
    this.request = request;
    this.#handler = handler;
    handler.onRequestStart?.(this, undefined);
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  hasEnded(): boolean {
    return this.#isEnded;
  }

  abort(reason: Error): void {
    if (this.#isEnded) return;
    this.reason = reason;
    this.fail(reason);
  }

  pause(): void {
    if (this.#isPaused || this.#isEnded) return;
    this.#isPaused = true;
    this.#connection?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#heardAtMs = performance.now();
    if (!this.#isEnded) this.#connection?.resume();
  }

  /** True once the whole request left this process: an upstream that stopped reading does not have it. */
  isFlushed(): boolean {
    return this.#isEnded || this.#connection?.isFlushed() === true;
  }

  /** The request was written to a connection. */
  onSent(connection: Carrier): void {
    this.#connection = connection;
    this.#heardAtMs = performance.now();
    (this.#handler as { onRequestSent?: () => void }).onRequestSent?.();
    if (this.#isPaused) connection.pause();
  }

  onHead(head: ResponseHead, nowMs: number): void {
    this.#hasHead = true;
    this.#heardAtMs = nowMs;
    this.#handler.onResponseStart?.(this, head.status, head.headers as Record<string, string | string[]>);
  }

  onBody(bytes: Buffer, nowMs: number): void {
    this.#heardAtMs = nowMs;
    if (!this.#isEnded) this.#handler.onResponseData?.(this, bytes);
  }

  complete(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#handler.onResponseEnd?.(this, {});
  }

  /** Ends the exchange; the connection cannot be used again, since the rest of the response could still arrive. */
  fail(error: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#connection?.destroy();
    this.#handler.onResponseError?.(this, error);
  }

  /** Fails if upstream was silent for longer than the limit of the present phase. */
  checkSilence(nowMs: number): void {
    if (this.#isPaused || !this.#connection) return;
    const { headersTimeoutMs, bodyTimeoutMs } = this.request;
    const limitMs = this.#hasHead ? bodyTimeoutMs : headersTimeoutMs;
    if (limitMs === 0 || nowMs - this.#heardAtMs < limitMs) return;
    this.fail(this.#hasHead ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError());
  }
}
