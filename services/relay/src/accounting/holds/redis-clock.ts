/** The argument of a script whose sender does not know the time of Redis: it is never late. */
export const UNKNOWN_TIME = 0;

/** A better sample than the last one is not needed again for this long. */
const KEEP_MS = 10_000;

/**
 * The clock of Redis as this process knows it, from the times that scripts return. A command carries its send time by
 * that clock, so that Redis can recognise one that was delayed for seconds. The clock of this machine is not used.
 */
export class RedisClock {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;
  #roundTripMs = 0;
  #learnedAtMs = 0;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** The time in unix ms; 0 while it is unknown. */
  now(): number {
    return this.#offsetMs === undefined ? UNKNOWN_TIME : Math.round(this.#monotonicMs() + this.#offsetMs);
  }

  /** Takes the time that a script returned; of several samples the one with the shortest round trip counts. */
  learn(redisMs: number, sentAtMs: number): void {
    const now = this.#monotonicMs();
    const isBetter = now - sentAtMs <= this.#roundTripMs || now - this.#learnedAtMs > KEEP_MS;
    if (this.#offsetMs === undefined || isBetter) this.correct(redisMs, sentAtMs);
  }

  /** Accepts a time that contradicts an earlier sample: the clock was changed, or another server took over. */
  correct(redisMs: number, sentAtMs: number): void {
    const now = this.#monotonicMs();
    this.#roundTripMs = now - sentAtMs;
    this.#learnedAtMs = now;
    this.#offsetMs = redisMs - (now + sentAtMs) / 2;
  }
}
