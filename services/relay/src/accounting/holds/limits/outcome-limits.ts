import type { Redis } from "@turnpike/shared/redis/redis";
import type { HoldRequest, Settlement } from "../account-requests.ts";
import { createRunningSlots, type RunningSlots } from "./concurrency-slots.ts";
import { countsTokens, getOutcomeLimits } from "./limit-arguments.ts";

/** What the limits of running calls need at their end: the slots of concurrent calls, and the second that holds a token estimate. */
export class OutcomeLimits {
  readonly #slots: RunningSlots;
  /** By request id. */
  readonly #seconds = new Map<string, number>();

  constructor(redis: Redis) {
    this.#slots = createRunningSlots(redis);
  }

  /** Keeps what the limits of an admitted call need at its end. */
  enter(request: HoldRequest, nowMs: number): void {
    this.#slots.take(request);
    if (countsTokens(request.limits)) this.#seconds.set(request.requestId, Math.floor(nowMs / 1000));
  }

  /** The settlement with the limits that need its outcome. */
  leave(settlement: Settlement): Settlement {
    this.#slots.leave(settlement);
    const guessSecond = this.#seconds.get(settlement.requestId);
    this.drop(settlement.requestId);
    return { ...settlement, limits: getOutcomeLimits(settlement.limits, settlement.hasSucceeded), guessSecond };
  }

  /** The call's hold was released. */
  drop(requestId: string): void {
    this.#seconds.delete(requestId);
  }

  stop(): void {
    this.#slots.stop();
  }
}
