import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { type Attempt, attemptKey, countAttempt } from "@turnpike/shared/redis/attempt-counter";

/** How many failures per window; a limit of 0 means no limit. */
export type FailureLimit = { readonly failuresMax: number; readonly windowSeconds: number };
/** A counted attempt; `undo` removes it after a success. */
export type CountedTry = Attempt;
export type SignInFailureLimits = ReturnType<typeof createSignInFailureLimits>;

/** The limit per address as a multiple of the limit per account: many users share one address. */
const ADDRESS_FACTOR = 5;

const keyOf = (kind: string, name: string): string => attemptKey(`sign-in-failures:${kind}`, name);

/**
 * Counts failed passwords per account and per address over a window that begins with the first one. An attempt is
 * counted before the password is checked and removed when it was right, so concurrent attempts cannot bypass the limit.
 * Throws `unavailable` while Redis is down.
 */
export function createSignInFailureLimits(redis: Redis) {
  const count = async (key: string, limit: FailureLimit): Promise<CountedTry> => {
    const counted = await countAttempt(redis, key, { max: limit.failuresMax, windowSeconds: limit.windowSeconds });
    if ("undo" in counted) return counted;
    throw new AppError("login_rate_limited", "too many failed passwords", {
      params: { seconds: String(counted.waitSeconds) },
    });
  };
  return {
    /** Counts an attempt on an account from an address ("" is unknown and not counted); throws login_rate_limited. */
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
