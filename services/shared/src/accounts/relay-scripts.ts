import { REDIS_TIME } from "./script-time.ts";

/** A relay without a heartbeat for this long is dead. */
export const RELAY_DEAD_AFTER_MS = 15_000;

/**
 * Reports that a relay process is alive. KEYS: relays. ARGV: relay id. Returns the time in ms, and the number of relays that are
 * alive.
 */
export const HEARTBEAT = `${REDIS_TIME}
redis.call('ZADD', KEYS[1], now, ARGV[1])
return {now, redis.call('ZCOUNT', KEYS[1], now - ${RELAY_DEAD_AFTER_MS}, '+inf')}
`;

/** Renews the slots of running calls. KEYS: one limit of kind 'running'. ARGV: how long they last in ms, then the request ids. */
export const RENEW_SLOTS = `${REDIS_TIME}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`;
