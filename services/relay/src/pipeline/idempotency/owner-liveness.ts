import { RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import { RELAY_DEAD_AFTER_MS } from "@turnpike/shared/accounts/relay-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";

/** What is known of the relay that runs a call. */
export type OwnerLiveness = {
  /**
   * Whether a relay no longer runs and every call that it left open is posted: billing's janitor then removes it from
   * the list of relays, and so does a relay that stops.
   */
  readonly isRemoved: (relayId: string) => Promise<boolean>;
  /** Whether a relay has sent no heartbeat for so long that its calls can be considered lost. */
  readonly hasNoHeartbeat: (relayId: string) => Promise<boolean>;
};

export const createOwnerLiveness = (redis: Redis): OwnerLiveness => ({
  isRemoved: async (relayId) => relayId === "" || (await redis.zscore(RELAYS_KEY, relayId)) === null,
  async hasNoHeartbeat(relayId) {
    const [heartbeatMs, [seconds]] = await Promise.all([redis.zscore(RELAYS_KEY, relayId), redis.time()]);
    return heartbeatMs === null || Number(seconds) * 1000 - Number(heartbeatMs) > RELAY_DEAD_AFTER_MS;
  },
});
