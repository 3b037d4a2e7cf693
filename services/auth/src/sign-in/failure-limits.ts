import { AppError } from "@turnpike/shared/errors/app-error";
import type { Redis } from "@turnpike/shared/redis/redis";
import { type Attempt, attemptKey, countAttempt } from "@turnpike/shared/redis/attempt-counter";

/** How many failures, in how long; a limit of 0 is none. */
export type FailureLimit = { readonly failuresMax: number; readonly windowSeconds: number };
/** A counted try; `undo` takes it back, because it succeeded. */
export type CountedTry = Attempt;
export type SignInFailureLimits = ReturnType<typeof createSignInFailureLimits>;

/** An address may fail this many times as often as an account: many people share one. */
const ADDRESS_FACTOR = 5;

const keyOf = (kind: string, name: string): string => attemptKey(`sign-in-failures:${kind}`, name);

/**
 * Counts failed passwords per account and per address over a window that begins with the first one. A try is counted before the
 * password is looked at and taken back when it was right, so tries that run at once cannot slip past. Throws `unavailable` while
 * Redis is away.
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
