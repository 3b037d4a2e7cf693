import { createHash } from "node:crypto";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { withRedisErrors } from "../errors/redis-errors.ts";
import type { Redis } from "../redis/redis.ts";

/** How many attempts are allowed in a window that begins with the first one. */
export type RateLimit = { readonly max: number; readonly windowSeconds: number };
/** What is counted: a key is `<prefix>:<subject>` in Redis. */
export type Counted = RateLimit & { readonly prefix: string; readonly subject: string };
/** A counted attempt; `undo` removes it. Throws `unavailable` while Redis is down. */
export type Attempt = { readonly undo: () => Promise<void> };
export type RedisRateLimiter = ReturnType<typeof createRedisRateLimiter>;

/** The attempt of a subject that has no limit. */
export const UNCOUNTED: Attempt = { undo: () => Promise.resolve() };

/**
 * The library's step with two differences: a refused attempt is not counted, or it would use up what undone attempts release, and an undo
 * (negative points) never creates a counter that has expired meanwhile. ARGV: points, window in seconds, limit.
 */
const INCREMENT = `
local points = tonumber(ARGV[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if points < 0 then
  if count > 0 then count = redis.call('INCRBY', KEYS[1], points) end
elseif count >= tonumber(ARGV[3]) then
  count = count + points
else
  count = redis.call('INCRBY', KEYS[1], points)
  if count == points then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
end
return {count, math.max(redis.call('PTTL', KEYS[1]), 1)}`;

/** A subject for a key that must not reveal it. */
export const hashSubject = (subject: string): string => createHash("sha256").update(subject).digest("hex").slice(0, 32);

/**
 * Exact limits over all replicas: an attempt is counted before it runs, so that concurrent ones cannot bypass the limit, and undone where
 * only failures count.
 */
export function createRedisRateLimiter(redis: Redis) {
  // A limit may change with the options; there are few.
  const limiters = new Map<string, RateLimiterRedis>();
  const getLimiter = ({ prefix, max, windowSeconds }: Counted): RateLimiterRedis => {
    const name = `${prefix} ${max} ${windowSeconds}`;
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: prefix,
      points: max,
      duration: windowSeconds,
      customIncrTtlLuaScript: INCREMENT,
    });
    limiters.set(name, limiter);
    return limiter;
  };
  const takeOne = async (counted: Counted): Promise<Attempt | number> => {
    const limiter = getLimiter(counted);
    const refusal = await withRedisErrors(() =>
      limiter.consume(counted.subject).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof RateLimiterRes) return error;
          throw error;
        },
      ),
    );
    if (refusal) return Math.ceil(refusal.msBeforeNext / 1000);
    return { undo: () => withRedisErrors(async () => void (await limiter.reward(counted.subject))) };
  };
  return {
    /**
     * Counts an attempt of each subject. When one has no attempt left, none is counted and `refuse` throws its error: it gets the seconds
     * until the next attempt is allowed. Throws `unavailable` while Redis is down: nothing passes uncounted.
     */
    async take(counted: readonly Counted[], refuse: (waitSeconds: number) => Error): Promise<Attempt> {
      const taken: Attempt[] = [];
      const undo = async (): Promise<void> => void (await Promise.all(taken.map((attempt) => attempt.undo())));
      try {
        for (const each of counted) {
          const attempt = await takeOne(each);
          if (typeof attempt === "number") throw refuse(attempt);
          taken.push(attempt);
        }
      } catch (error) {
        // What cannot be undone expires with its window.
        await undo().catch(() => undefined);
        throw error;
      }
      return { undo };
    },
  };
}
