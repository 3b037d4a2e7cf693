import { limitKey } from "@turnpike/shared/accounts/account-keys";
import { RENEW_SLOTS } from "@turnpike/shared/accounts/relay-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import type { Limit } from "./limit-arguments.ts";

/** A slot that is not renewed for this long is free again: its relay is dead. */
export const SLOT_LEASE_MS = 20_000;
const RENEW_MS = 5_000;

type Holder = { readonly requestId: string; readonly userId: number; readonly limits: readonly Limit[] };

export type RunningSlots = ReturnType<typeof createRunningSlots>;

/**
 * Renews the concurrency slots of this relay's running calls: a call may take longer than a lease, and the slots of a
 * dead relay must expire. No work is done while no call has such a limit.
 */
export function createRunningSlots(redis: Redis) {
  const runRenew = defineScript(redis, RENEW_SLOTS);
  const requests = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  const renewAll = (): void => {
    // If Redis is down, the next round recreates the slots.
    for (const [key, ids] of requests) runRenew(1, key, SLOT_LEASE_MS, ...ids).catch(() => undefined);
  };
  const getKeys = ({ userId, limits }: Holder): string[] =>
    limits.filter(({ counts }) => counts === "running").map(({ name }) => limitKey(userId, name));
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    /** Called when a call was admitted. */
    take(holder: Holder): void {
      for (const key of getKeys(holder)) {
        const ids = requests.get(key) ?? new Set<string>();
        requests.set(key, ids.add(holder.requestId));
        timer ??= setInterval(renewAll, RENEW_MS).unref();
      }
    },
    /** Called when the call ended; its settlement releases the slot. */
    leave(holder: Holder): void {
      for (const key of getKeys(holder)) {
        const ids = requests.get(key);
        ids?.delete(holder.requestId);
        if (ids?.size === 0) requests.delete(key);
      }
      if (requests.size === 0) stop();
    },
    stop,
  };
}
