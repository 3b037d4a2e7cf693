import type { Ending, Head } from "../../core/call/detached-response.ts";

/** Non-streaming responses are not larger either. */
const BYTES_MAX = 64 * 1024 * 1024;

/**
 * A response while it is produced: the call that produces it, or a copy from Redis, writes it; any number of clients
 * read it, each from its beginning. What was written is visible to readers in the next event-loop tick, the end only once `publishEnd` was called.
 */
export class Recording {
  readonly fingerprint: string;
  readonly requestId: string;
  head: Head | undefined;
  readonly pieces: Buffer[] = [];
  /** Set when the whole response was written. */
  written: Ending | undefined;
  /** Set when readers may see the end. */
  ending: Ending | undefined;
  /** The failure of a call that had sent nothing. If it was charged, the error response is written, too. */
  failure: { readonly error: unknown } | undefined;
  /** The number of pieces that readers may see. */
  visible = 0;
  #bytes = 0;
  #change = Promise.withResolvers<void>();
  #isScheduled = false;

  constructor(fingerprint: string, requestId: string) {
    this.fingerprint = fingerprint;
    this.requestId = requestId;
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return this.#change.promise;
  }

  isOver(): boolean {
    return this.ending !== undefined || this.failure !== undefined;
  }

  begin(head: Head): void {
    this.head ??= head;
  }

  add(piece: Buffer): void {
    if (this.written || piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > BYTES_MAX) return this.end({ isWhole: false, trailers: {} });
    this.pieces.push(piece);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#show());
  }

  end(ending: Ending): void {
    if (this.written) return;
    this.written = ending;
    this.wake();
  }

  /** Lets readers see the end. */
  publishEnd(): void {
    this.visible = this.pieces.length;
    this.ending = this.written ?? { isWhole: false, trailers: {} };
    this.wake();
  }

  fail(error: unknown): void {
    this.failure = { error };
    this.wake();
  }

  #show(): void {
    this.#isScheduled = false;
    // The last pieces are seen together with the end.
    if (this.written) return;
    this.visible = this.pieces.length;
    this.wake();
  }

  /** Wakes all readers that wait for a change. */
  wake(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers<void>();
    resolve();
  }
}
