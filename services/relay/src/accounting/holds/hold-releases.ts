import type { Limit } from "./limit-arguments.ts";

/** A hold that stands in Redis, or may, and the limits that it was counted for. */
export type Held = {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly limits: readonly Limit[];
};

const RETRY_MS = 1_000;
/** More than that only in an outage in which every call was refused; the oldest are left to the janitor then. */
const WAITING_MAX = 50_000;

export type HoldReleases = ReturnType<typeof createHoldReleases>;

/**
 * Gives back holds of calls that were not served, until Redis confirms it. A hold whose answer came too late, or whose giving back was
 * lost with the connection, would else keep its amount from its user, and be charged when this relay ends: to the janitor it looks
 * like a call that ran. `send` drops one hold; one that is not there changes nothing.
 */
export function createHoldReleases(send: (hold: Held) => Promise<unknown>) {
  const waiting = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;

  const tryLater = (): void => {
    if (waiting.size > 0) timer ??= setTimeout(() => void tryAll(), RETRY_MS).unref();
  };
  const tryAll = async (): Promise<void> => {
    try {
      for (const hold of waiting.values()) {
        await send(hold);
        waiting.delete(hold.requestId);
      }
    } catch {
      // Redis is still away, and has said so elsewhere.
    }
    timer = undefined;
    tryLater();
  };
  return {
    add({ requestId, userId, tokenId, limits }: Held): void {
      const [oldest] = waiting.size >= WAITING_MAX ? waiting.keys() : [];
      if (oldest !== undefined) waiting.delete(oldest);
      waiting.set(requestId, { requestId, userId, tokenId, limits });
      tryLater();
    },
    isEmpty: (): boolean => waiting.size === 0,
  };
}
