import { AppError } from "@turnpike/shared/errors/app-error";
import { getAddressGroup } from "@turnpike/shared/http/address-group";
import type { Redis } from "@turnpike/shared/redis/redis";
import { type Attempt, attemptKey, countAttempt } from "@turnpike/shared/redis/attempt-counter";

export type { Attempt };

/** How often something may be tried, over a window that begins with the first try. */
export type AttemptLimit = { readonly name: string; readonly max: number; readonly windowSeconds: number };
export type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/**
 * Exact limits over all replicas: each try is counted before it is made, so tries that run at once cannot slip past. Throws
 * rate_limited, and `unavailable` while Redis is away: nothing is let through uncounted.
 */
export function createAttemptLimits(redis: Redis) {
  const count = async (limit: AttemptLimit, who: string): Promise<Attempt> => {
    const counted = await countAttempt(redis, attemptKey(`attempts:${limit.name}`, who), limit);
    if ("undo" in counted) return counted;
    throw new AppError("rate_limited", `too many tries of ${limit.name}`, {
      params: { seconds: String(counted.waitSeconds) },
    });
  };
  return {
    /** Counts a try of somebody or something: a user, an e-mail address, a ticket. */
    take: count,
    /** Counts a try from a network address; one that is not known ("") is not counted. */
    takeFrom: (limit: AttemptLimit, address: string): Promise<Attempt> =>
      address === "" ? Promise.resolve({ undo: () => Promise.resolve() }) : count(limit, getAddressGroup(address)),
  };
}
