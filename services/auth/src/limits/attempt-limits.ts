import { createHash } from "node:crypto";
import { AppError } from "@turnpike/shared/errors/app-error";
import { addressGroup } from "@turnpike/shared/http/address-group";
import type { Redis } from "@turnpike/shared/redis/redis";
import { overRedis } from "@turnpike/shared/redis/redis-fault";

/** How often something may be tried, over a window that begins with the first try. */
export type AttemptLimit = { readonly name: string; readonly max: number; readonly windowSeconds: number };
/** A counted try; `undo` takes it back. */
export type Attempt = { readonly undo: () => Promise<void> };
export type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/** Counts a try; answers 0, or the milliseconds to wait when the limit is reached. */
const COUNT = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;
/** Takes one back, and never makes a counter that has expired meanwhile. */
const UNCOUNT = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const keyOf = (name: string, who: string): string =>
  `attempts:${name}:${createHash("sha256").update(who).digest("hex").slice(0, 32)}`;

/**
 * Exact limits over all replicas: each try is counted before it is made, so tries that run at once cannot slip past. Throws
 * rate_limited, and `unavailable` while Redis is away: nothing is let through uncounted.
 */
export function createAttemptLimits(redis: Redis) {
  const count = async (limit: AttemptLimit, who: string): Promise<Attempt> => {
    const key = keyOf(limit.name, who);
    const waitMs = Number(await overRedis(() => redis.eval(COUNT, 1, key, limit.max, limit.windowSeconds * 1000)));
    if (waitMs > 0)
      throw new AppError("rate_limited", `too many tries of ${limit.name}`, {
        params: { seconds: String(Math.ceil(waitMs / 1000)) },
      });
    return { undo: () => overRedis(async () => void (await redis.eval(UNCOUNT, 1, key))) };
  };
  return {
    /** Counts a try of somebody or something: a user, an e-mail address, a ticket. */
    take: count,
    /** Counts a try from a network address; one that is not known ("") is not counted. */
    takeFrom: (limit: AttemptLimit, address: string): Promise<Attempt> =>
      address === "" ? Promise.resolve({ undo: () => Promise.resolve() }) : count(limit, addressGroup(address)),
  };
}
