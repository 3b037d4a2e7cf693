import { randomUUID } from "node:crypto";
import type { Redis } from "@turnpike/shared/redis/redis";

/** Takes the lease when it is free or already held by this replica. */
const HOLD_LEASE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const GIVE_BACK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

export type Lease = ReturnType<typeof createLease>;

/** A lease that one replica holds at a time and that expires when its holder dies. Throws while Redis is down. */
export function createLease(deps: { redis: Redis; name: string; durationMs: number }) {
  const { redis, name, durationMs } = deps;
  const me = randomUUID();
  return {
    /** Takes or renews it; false while another replica has it. */
    hold: async (): Promise<boolean> => (await redis.eval(HOLD_LEASE, 1, name, me, durationMs)) === 1,
    /** Releases the lease at once. */
    giveBack: async (): Promise<void> => {
      await redis.eval(GIVE_BACK, 1, name, me).catch(() => undefined);
    },
  };
}
