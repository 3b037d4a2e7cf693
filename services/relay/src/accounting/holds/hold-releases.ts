import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Limit } from "./limits/limit-arguments.ts";

/** A hold that exists or may exist in Redis, and the limits it was counted for. */
export type Held = {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly limits: readonly Limit[];
};

const RETRY_MS = 1_000;
/** More than this occurs only in an outage in which every call was refused; the oldest are then left to the janitor. */
const WAITING_MAX = 50_000;

export type HoldReleases = ReturnType<typeof createHoldReleases>;

/**
 * Releases holds of calls that were not served, until Redis acknowledges it. A hold whose response came too late, or whose
 * release was lost with the connection, would otherwise reserve its amount, and be charged when this relay ends: to the
 * janitor it looks like a call that ran. `send` drops one hold; dropping a missing hold has no effect.
 */
export function createHoldReleases(send: (hold: Held) => Promise<unknown>) {
  const waiting = new Map<string, Held>();

  const releaseAll = async (): Promise<void> => {
    for (const hold of waiting.values()) {
      await send(hold);
      waiting.delete(hold.requestId);
    }
  };
  // It fails while Redis is down; the outage is reported elsewhere.
  const loop = createBackgroundLoop({
    task: "hold releases",
    run: releaseAll,
    everyMs: Infinity,
    backoff: { firstMs: RETRY_MS, maxMs: RETRY_MS },
  });
  return {
    add({ requestId, userId, tokenId, limits }: Held): void {
      const [oldest] = waiting.size >= WAITING_MAX ? waiting.keys() : [];
      if (oldest !== undefined) waiting.delete(oldest);
      waiting.set(requestId, { requestId, userId, tokenId, limits });
      loop.wake(RETRY_MS);
    },
    isEmpty: (): boolean => waiting.size === 0,
  };
}
