import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { countAttempt, uncountAttempt } from "@turnpike/shared/redis/attempt-counter";

const WRONG_OF_USER_MAX = 10;
/**
 * One person may have many accounts; but many users share an address, and pending attempts count until they turn out
 * right.
 */
const WRONG_OF_ADDRESS_MAX = 100;
const WINDOW_SECONDS = 10 * 60;

export type RedemptionLimit = ReturnType<typeof createRedemptionLimit>;

type Trier = { readonly userId: number; readonly address: string };

/**
 * Allows a user ten wrong codes in ten minutes, and an address a hundred. Throws redemption_rate_limited, or
 * `unavailable` while Redis is down.
 */
export function createRedemptionLimit(redis: Redis) {
  const ofUser = (userId: number): string => `redemption-failures:${userId}`;
  const ofAddress = (address: string): string => `redemption-failures:from:${address}`;
  const take = async (key: string, max: number): Promise<void> => {
    const attempt = await countAttempt(redis, key, { max, windowSeconds: WINDOW_SECONDS });
    if (!("waitSeconds" in attempt)) return;
    const seconds = String(attempt.waitSeconds);
    throw new AppError("redemption_rate_limited", "too many wrong codes", { params: { seconds } });
  };
  const giveBack = async (key: string): Promise<void> => {
    await uncountAttempt(redis, key).catch(() => undefined);
  };
  return {
    /** Counts an attempt before the code is checked, so that concurrent attempts cannot bypass the limit. */
    async count({ userId, address }: Trier): Promise<void> {
      await take(ofUser(userId), WRONG_OF_USER_MAX);
      if (address !== "") await take(ofAddress(address), WRONG_OF_ADDRESS_MAX);
    },
    /** Removes an attempt whose code was valid. A failure here only costs the user one of their attempts. */
    async undo({ userId, address }: Trier): Promise<void> {
      await giveBack(ofUser(userId));
      if (address !== "") await giveBack(ofAddress(address));
    },
  };
}
