import type { Caller } from "./caller.ts";

/** How long a caller that auth has verified may read while auth is down. */
const RECENT_MS = 60_000;
const CALLERS_MAX = 10_000;

/**
 * Callers that auth verified in the last minute, by session id or access token. While auth is down, they may still read
 * what other services serve. A call that changes something removes its caller, since it may end the session.
 */
export class RecentCallers {
  readonly #now: () => number;
  readonly #callers = new Map<string, { readonly caller: Caller; readonly atMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  put(credential: string, caller: Caller): void {
    // The oldest come first.
    this.#callers.delete(credential);
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined && this.#callers.size >= CALLERS_MAX) this.#callers.delete(oldest);
    this.#callers.set(credential, { caller, atMs: this.#now() });
  }

  /** The caller if it was verified within the last minute. */
  get(credential: string): Caller | undefined {
    const found = this.#callers.get(credential);
    return found && this.#now() - found.atMs < RECENT_MS ? found.caller : undefined;
  }

  remove(credential: string): void {
    this.#callers.delete(credential);
  }
}
