import { ActiveList, type ActivePlace } from "@turnpike/shared/concurrency/active-list";

/** What runs at a time of `performance.now()` unless it is removed before. */
type Deadline = { readonly atMs: number; readonly run: () => void };
export type DeadlinePlace = ActivePlace<Deadline>;

const SWEEP_MS = 100;

/**
 * Deadlines that are rarely reached, up to a tenth of a second late: one timer looks after all of them, where each of its
 * own would cost a call more than a hundredth of its processor time.
 */
export class DeadlineSweep {
  readonly #deadlines = new ActiveList<Deadline>();
  #timer: NodeJS.Timeout | undefined;

  add(atMs: number, run: () => void): DeadlinePlace {
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return this.#deadlines.add({ atMs, run });
  }

  remove(place: DeadlinePlace): void {
    this.#deadlines.remove(place);
  }

  #sweep(): void {
    const nowMs = performance.now();
    const deadlines = this.#deadlines.list();
    for (const { atMs, run } of deadlines) if (atMs <= nowMs) run();
    if (deadlines.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
