import type { Redis } from "../redis/redis.ts";
import type { LeaseStore } from "./lease.ts";

const ACQUIRE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

/** A lease as a key in Redis, whose value is the holder. */
export const createRedisLeaseStore = (redis: Redis, key: string): LeaseStore => ({
  acquire: async (holder, durationMs) => (await redis.eval(ACQUIRE, 1, key, holder, durationMs)) === 1,
  renew: async (holder, durationMs) => (await redis.eval(RENEW, 1, key, holder, durationMs)) === 1,
  release: async (holder) => void (await redis.eval(RELEASE, 1, key, holder)),
});
