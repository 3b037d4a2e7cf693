import { readAddress } from "./address-ranges.ts";

const KEYS_MAX = 100_000;

/** One household or server has a whole /64 of IPv6 addresses; it counts as one. */
function keyOf(address: string): string {
  const parsed = readAddress(address);
  if (parsed?.kind() !== "ipv6") return address;
  return parsed.toByteArray().slice(0, 8).join(".");
}

export type RateLimiter = {
  /** Counts a call; answers the seconds to wait when there were too many, else undefined. */
  readonly take: (address: string) => number | undefined;
};

/** At most `limit` calls an address in each window, counted in this process alone. */
export function createRateLimiter(deps: { limit: number; windowSeconds: number; now: () => number }): RateLimiter {
  const windowMs = deps.windowSeconds * 1000;
  const counts = new Map<string, number>();
  let windowIndex = -1;
  return {
    take(address) {
      const now = deps.now();
      const index = Math.floor(now / windowMs);
      if (index !== windowIndex || counts.size > KEYS_MAX) counts.clear();
      windowIndex = index;
      const key = keyOf(address);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > deps.limit ? Math.max(1, Math.ceil(((index + 1) * windowMs - now) / 1000)) : undefined;
    },
  };
}
