import { AppError } from "@turnpike/shared/errors/app-error";
import {
  type Attempt,
  type Counted,
  createRedisRateLimiter,
  hashSubject,
  UNCOUNTED,
} from "@turnpike/shared/rate-limit/redis-rate-limiter";
import type { Redis } from "@turnpike/shared/redis/redis";

/** How many failures per window; a limit of 0 means no limit. */
export type FailureLimit = { readonly failuresMax: number; readonly windowSeconds: number };
export type SignInFailureLimits = ReturnType<typeof createSignInFailureLimits>;

/** The limit per address as a multiple of the limit per account: many users share one address. */
const ADDRESS_FACTOR = 5;

const refuse = (seconds: number): AppError =>
  new AppError("login_rate_limited", "too many failed passwords", { params: { seconds: String(seconds) } });

/**
 * Counts failed passwords per account and per address. An attempt is counted before the password is checked and undone
 * when it was right, so concurrent attempts cannot bypass the limit. Throws `unavailable` while Redis is down.
 */
export function createSignInFailureLimits(redis: Redis) {
  const limiter = createRedisRateLimiter(redis);
  return {
    /** Counts an attempt on an account from an address ("" is unknown and not counted); throws login_rate_limited. */
    async count(account: string, address: string, { failuresMax, windowSeconds }: FailureLimit): Promise<Attempt> {
      if (failuresMax === 0) return UNCOUNTED;
      const toCounted = (kind: string, name: string, max: number): Counted => ({
        prefix: `sign-in-failures:${kind}`,
        subject: hashSubject(name),
        max,
        windowSeconds,
      });
      const accountCount = toCounted("account", account, failuresMax);
      const addressCount = toCounted("address", address, failuresMax * ADDRESS_FACTOR);
      return limiter.take(address === "" ? [accountCount] : [accountCount, addressCount], refuse);
    },
  };
}
