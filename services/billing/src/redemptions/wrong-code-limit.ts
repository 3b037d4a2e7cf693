import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { overRedis } from "../edge/redis-fault.ts";

const WRONG_OF_USER_MAX = 10;
/** One person may have many accounts; but many people share an address, and tries under way count until they are seen to be right. */
const WRONG_OF_ADDRESS_MAX = 100;
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

type Trier = { readonly userId: number; readonly address: string };

/**
 * Lets a user enter ten wrong codes in ten minutes, and an address a hundred. Throws redemption_rate_limited, or `unavailable` while
 * Redis is away.
 */
export function createWrongCodeLimit(redis: Redis) {
  const ofUser = (userId: number): string => `redemption-failures:${userId}`;
  const ofAddress = (address: string): string => `redemption-failures:from:${address}`;
  const take = async (key: string, max: number): Promise<void> => {
    const waitMs = Number(await overRedis(() => redis.eval(COUNT, 1, key, max, WINDOW_MS)));
    if (waitMs === 0) return;
    const seconds = String(Math.ceil(waitMs / 1000));
    throw new AppError("redemption_rate_limited", "too many wrong codes", { params: { seconds } });
  };
  const giveBack = async (key: string): Promise<void> => {
    await redis.eval(UNCOUNT, 1, key).catch(() => undefined);
  };
  return {
    /** Counts a try before the code is looked at, so that tries at once cannot slip past. */
    async count({ userId, address }: Trier): Promise<void> {
      await take(ofUser(userId), WRONG_OF_USER_MAX);
      if (address !== "") await take(ofAddress(address), WRONG_OF_ADDRESS_MAX);
    },
    /** Takes a try back: its code was a real one. A failure here only costs the user one of their tries. */
    async undo({ userId, address }: Trier): Promise<void> {
      await giveBack(ofUser(userId));
      if (address !== "") await giveBack(ofAddress(address));
    },
  };
}
