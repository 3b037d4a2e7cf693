import { AppError } from "@turnpike/shared/errors/app-error";
import { getAddressGroup } from "@turnpike/shared/http/address-group";
import {
  type Attempt,
  createRedisRateLimiter,
  hashSubject,
  type RateLimit,
  UNCOUNTED,
} from "@turnpike/shared/rate-limit/redis-rate-limiter";
import type { Redis } from "@turnpike/shared/redis/redis";

export type AttemptLimit = RateLimit & { readonly name: string };
export type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/** Limits on what can be guessed or abused. Throws rate_limited, and `unavailable` while Redis is down. */
export function createAttemptLimits(redis: Redis) {
  const limiter = createRedisRateLimiter(redis);
  const count = (limit: AttemptLimit, who: string): Promise<Attempt> => {
    const refuse = (seconds: number): AppError =>
      new AppError("rate_limited", `too many attempts: ${limit.name}, retry in ${seconds} s`, {
        params: { seconds: String(seconds) },
      });
    return limiter.take([{ ...limit, prefix: `attempts:${limit.name}`, subject: hashSubject(who) }], refuse);
  };
  return {
    /** Counts an attempt of a subject: a user, an e-mail address, a ticket. */
    take: count,
    /** Counts an attempt from a network address; an unknown one ("") is not counted. */
    takeFrom: (limit: AttemptLimit, address: string): Promise<Attempt> =>
      address === "" ? Promise.resolve(UNCOUNTED) : count(limit, getAddressGroup(address)),
  };
}
