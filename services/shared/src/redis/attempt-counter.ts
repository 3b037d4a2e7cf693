import { createHash } from "node:crypto";
import type { Redis } from "./redis.ts";
import { withRedisErrors } from "../errors/redis-errors.ts";

/** A counted try; `undo` takes it back. */
export type Attempt = { readonly undo: () => Promise<void> };

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

/** A counter's key; who it is about is not to be read from it. */
export const attemptKey = (prefix: string, who: string): string =>
  `${prefix}:${createHash("sha256").update(who).digest("hex").slice(0, 32)}`;

/**
 * Counts an attempt before it runs, over a window that begins with the first one. Returns the counted attempt, or the
 * seconds until the next one is allowed. Throws `unavailable` while Redis is down.
 */
export async function countAttempt(
  redis: Redis,
  key: string,
  limit: { readonly max: number; readonly windowSeconds: number },
): Promise<Attempt | { readonly waitSeconds: number }> {
  const waitMs = Number(await withRedisErrors(() => redis.eval(COUNT, 1, key, limit.max, limit.windowSeconds * 1000)));
  if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) };
  return { undo: () => uncountAttempt(redis, key) };
}

/** Takes a counted try back. Throws `unavailable` while Redis is away. */
export const uncountAttempt = (redis: Redis, key: string): Promise<void> =>
  withRedisErrors(async () => void (await redis.eval(UNCOUNT, 1, key)));
