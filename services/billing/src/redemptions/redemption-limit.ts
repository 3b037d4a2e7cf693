import { AppError } from "@turnpike/shared/errors/app-error";
import { type Attempt, createRedisRateLimiter } from "@turnpike/shared/rate-limit/redis-rate-limiter";
import type { Redis } from "@turnpike/shared/redis/redis";

const WRONG_OF_USER_MAX = 10;
/**
 * One user may have many accounts; but many users share an address, and pending attempts count until they turn out to
 * be right.
 */
const WRONG_OF_ADDRESS_MAX = 100;
const COUNTER = { prefix: "redemption-failures", windowSeconds: 10 * 60 } as const;

export type RedemptionLimit = ReturnType<typeof createRedemptionLimit>;

type Trier = { readonly userId: number; readonly address: string };

const refuse = (seconds: number): AppError =>
  new AppError("redemption_rate_limited", "too many wrong codes", { params: { seconds: String(seconds) } });

/**
 * Allows a user ten wrong codes in ten minutes, and an address a hundred. Throws redemption_rate_limited, or
 * `unavailable` while Redis is down.
 */
export function createRedemptionLimit(redis: Redis) {
  const limiter = createRedisRateLimiter(redis);
  return {
    /**
     * Counts an attempt before the code is checked, so that concurrent attempts cannot bypass the limit; `undo` removes
     * one whose code was valid. A failed undo only costs the user one of their attempts.
     */
    async count({ userId, address }: Trier): Promise<Attempt> {
      const userCount = { ...COUNTER, subject: String(userId), max: WRONG_OF_USER_MAX };
      const addressCount = { ...COUNTER, subject: `from:${address}`, max: WRONG_OF_ADDRESS_MAX };
      const attempt = await limiter.take(address === "" ? [userCount] : [userCount, addressCount], refuse);
      return { undo: () => attempt.undo().catch(() => undefined) };
    },
  };
}
