import { errors } from "undici";

/**
 * The multiple of the idle limit for which comments alone keep a stream alive: some providers send comments while a
 * model reasons.
 */
const COMMENT_IDLE_FACTOR = 10;
/** After the end mark, upstream gets this long to close its body, so that the connection can be reused. */
const TRAILING_MS = 1_000;
/** How long a stream without an end mark (Google) may stay open after its finish. */
const QUIET_MS = 5_000;

/** When upstream sent its first and last frames, and the timers for the end of its stream. */
export class StreamClock {
  readonly #idleMs: number;
  readonly #sentAt: number;
  /** When upstream last sent something other than a comment. */
  #framedAt: number;
  /** When upstream last sent something before anything was sent to the caller. */
  #heardAt: number;
  #trailing: NodeJS.Timeout | undefined;
  /** Runs while only the end of the bytes is missing. */
  #quiet: NodeJS.Timeout | undefined;

  /** Starts when the request is sent. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
    this.#sentAt = performance.now();
    this.#framedAt = this.#sentAt;
    this.#heardAt = this.#sentAt;
  }

  /** Bytes arrived before anything was sent to the caller. */
  hear(): void {
    this.#heardAt = performance.now();
  }

  /** An event arrived. */
  frame(): void {
    this.#framedAt = performance.now();
  }

  /** How long ago the request was sent. */
  elapsedMs(): number {
    return performance.now() - this.#sentAt;
  }

  /** How long the caller waited for upstream. */
  upstreamMs(): number {
    return this.#heardAt - this.#sentAt;
  }

  /** Throws undici's BodyTimeoutError if only comments arrived for too long. */
  checkSilence(): void {
    if (performance.now() - this.#framedAt > this.#idleMs * COMMENT_IDLE_FACTOR) throw new errors.BodyTimeoutError();
  }

  /** Runs `end` unless upstream sends more: its finish was read, but the bytes have not ended. */
  awaitEnd(end: () => void): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(end, QUIET_MS);
  }

  /** Runs `abort` unless upstream closes its body. */
  awaitClose(abort: () => void): void {
    this.#trailing = setTimeout(abort, TRAILING_MS).unref();
  }

  stopAwaitingEnd(): void {
    clearTimeout(this.#quiet);
  }

  stopAwaitingClose(): void {
    clearTimeout(this.#trailing);
  }
}
