import { createHash } from "node:crypto";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { overRedis } from "@turnpike/shared/redis/redis-fault";

/** How many failures, in how long; a limit of 0 is none. */
export type FailureLimit = { readonly failuresMax: number; readonly windowSeconds: number };
/** A counted try; `undo` takes it back, because it succeeded. */
export type CountedTry = { readonly undo: () => Promise<void> };
export type FailureLimits = ReturnType<typeof createFailureLimits>;

/** An address may fail this many times as often as an account: many people share one. */
const ADDRESS_FACTOR = 5;

/** Counts a try before it is made; answers 0, or the milliseconds to wait when the limit is reached. */
const COUNT = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;
/** Takes one back, and never makes a counter that has expired meanwhile. */
const UNCOUNT = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const keyOf = (kind: string, name: string): string =>
  `sign-in-failures:${kind}:${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;

/**
 * Counts failed passwords per account and per address over a window that begins with the first one. A try is counted before the
 * password is looked at and taken back when it was right, so tries that run at once cannot slip past. Throws `unavailable` while
 * Redis is away.
 */
export function createFailureLimits(redis: Redis) {
  const count = async (key: string, limit: FailureLimit): Promise<CountedTry> => {
    const waitMs = Number(
      await overRedis(() => redis.eval(COUNT, 1, key, limit.failuresMax, limit.windowSeconds * 1000)),
    );
    if (waitMs > 0) {
      const seconds = String(Math.ceil(waitMs / 1000));
      throw new AppError("login_rate_limited", "too many failed passwords", { params: { seconds } });
    }
    return { undo: () => overRedis(async () => void (await redis.eval(UNCOUNT, 1, key))) };
  };
  return {
    /** Counts a try on an account from an address ("" is unknown and not counted); throws login_rate_limited. */
    async count(account: string, address: string, limit: FailureLimit): Promise<CountedTry> {
      if (limit.failuresMax === 0) return { undo: () => Promise.resolve() };
      const ofAccount = await count(keyOf("account", account), limit);
      const addressLimit = { ...limit, failuresMax: limit.failuresMax * ADDRESS_FACTOR };
      try {
        const ofAddress = address === "" ? undefined : await count(keyOf("address", address), addressLimit);
        return { undo: async () => void (await Promise.all([ofAccount.undo(), ofAddress?.undo()])) };
      } catch (error) {
        await ofAccount.undo();
        throw error;
      }
    },
  };
}
