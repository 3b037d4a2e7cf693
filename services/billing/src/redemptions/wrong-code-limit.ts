import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { overRedis } from "../edge/redis-fault.ts";

const WRONG_MAX = 10;
const WINDOW_MS = 10 * 60_000;

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

export type WrongCodeLimit = ReturnType<typeof createWrongCodeLimit>;

/** Lets a user enter ten wrong codes in ten minutes. Throws redemption_rate_limited, or `unavailable` while Redis is away. */
export function createWrongCodeLimit(redis: Redis) {
  const keyOf = (userId: number): string => `redemption-failures:${userId}`;
  return {
    /** Counts a try before the code is looked at, so that tries at once cannot slip past. */
    async count(userId: number): Promise<void> {
      const waitMs = Number(await overRedis(() => redis.eval(COUNT, 1, keyOf(userId), WRONG_MAX, WINDOW_MS)));
      if (waitMs === 0) return;
      const seconds = String(Math.ceil(waitMs / 1000));
      throw new AppError("redemption_rate_limited", "too many wrong codes", { params: { seconds } });
    },
    /** Takes a try back: its code was a real one. A failure here only costs the user one of their tries. */
    undo: async (userId: number): Promise<void> => {
      await redis.eval(UNCOUNT, 1, keyOf(userId)).catch(() => undefined);
    },
  };
}
