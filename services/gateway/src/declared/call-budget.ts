/** Requests that leave room for administrators below the gateway's default limit, 600 in 180 seconds. */
const BURST = 120;
const CALLS_A_SECOND = 2;

/**
 * Counts requests against a rate with a burst: an apply of many requests may be followed by a comparison at once, but over
 * any three minutes no more than `BURST` + 180 × `CALLS_A_SECOND` = 480 requests are made.
 */
export class CallBudget {
  #available = BURST;
  #updatedMs: number;
  constructor(nowMs: number) {
    this.#updatedMs = nowMs;
  }

  /** Takes requests that were made. */
  take(calls: number, nowMs: number): void {
    const refilled = this.#available + ((nowMs - this.#updatedMs) / 1_000) * CALLS_A_SECOND;
    this.#available = Math.min(BURST, refilled) - calls;
    this.#updatedMs = nowMs;
  }

  /** Milliseconds until as many requests are available. */
  getWaitMs(calls: number): number {
    return Math.max(0, ((Math.min(calls, BURST) - this.#available) / CALLS_A_SECOND) * 1_000);
  }
}
