import { AppError } from "@turnpike/shared/errors/app-error";
import { getAddressGroup } from "@turnpike/shared/http/address-group";
import type { Redis } from "@turnpike/shared/redis/redis";
import { type Attempt, attemptKey, countAttempt } from "@turnpike/shared/redis/attempt-counter";

export type { Attempt };

/** How many attempts are allowed in a window that starts with the first attempt. */
export type AttemptLimit = { readonly name: string; readonly max: number; readonly windowSeconds: number };
export type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/**
 * Exact limits over all replicas: each attempt is counted before it runs, so concurrent attempts cannot bypass the
 * limit. Throws rate_limited, and `unavailable` while Redis is down: no attempt passes uncounted.
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
    /** Counts an attempt of a subject: a user, an e-mail address, a ticket. */
    take: count,
    /** Counts an attempt from a network address; an unknown one ("") is not counted. */
    takeFrom: (limit: AttemptLimit, address: string): Promise<Attempt> =>
      address === "" ? Promise.resolve({ undo: () => Promise.resolve() }) : count(limit, getAddressGroup(address)),
  };
}
