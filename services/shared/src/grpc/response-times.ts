/** A service is silent for at least this long before it counts as down … */
const SILENCE_MIN_MS = 600;
/** … for this long where it has been slow, or where little is known of it … */
const SILENCE_MAX_MS = 1_500;
/** … and for this long while the machine is busy, where a service that waits for the processor looks like one that hangs. */
const SILENCE_BUSY_MS = 3_000;
/** A service may be silent for this many times its slowest response. */
const TOLERANCE = 4;
const SAMPLES_MIN = 5;
const PERIOD_MS = 120_000;
/** Timers of this process that run this late show that the machine is busy, and that other processes wait as well … */
const LATE_MS = 60;
/** … for some time. */
const BUSY_MS = 10_000;

/**
 * Slowest response to a probe in the last minutes, and the silence it justifies: a service on a busy machine gets more
 * time than one that has always responded within milliseconds.
 */
export class ResponseTimes {
  #samples = 0;
  #slowestMs = 0;
  #slowestBeforeMs = 0;
  #periodStartedAt = performance.now();
  #busyUntil = 0;

  /** Records a timer of this process that ran late by that many milliseconds. */
  addDelay(ms: number): void {
    if (ms >= LATE_MS) this.#busyUntil = performance.now() + BUSY_MS;
  }

  add(ms: number): void {
    // The end of an outage is no measure of a service that is up.
    if (ms > SILENCE_MAX_MS) return;
    const now = performance.now();
    if (now - this.#periodStartedAt > PERIOD_MS) {
      this.#slowestBeforeMs = this.#slowestMs;
      this.#slowestMs = 0;
      this.#periodStartedAt = now;
    }
    this.#samples++;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
  }

  getSilenceMaxMs(): number {
    if (performance.now() < this.#busyUntil) return SILENCE_BUSY_MS;
    if (this.#samples < SAMPLES_MIN) return SILENCE_MAX_MS;
    const slowest = Math.max(this.#slowestMs, this.#slowestBeforeMs);
    return Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MIN_MS, slowest * TOLERANCE));
  }
}
