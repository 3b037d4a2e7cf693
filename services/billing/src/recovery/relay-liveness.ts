import { RELAY_DEAD_AFTER_MS } from "@turnpike/shared/accounts/relay-scripts";

/** Two looks that are further apart were interrupted: by an outage of Redis, or by this process standing still. */
const GAP_MAX_MS = 12_000;

/**
 * Finds dead relays by whether their heartbeats change between two checks. A relay is dead when its heartbeat has not
 * changed during 15 s of uninterrupted checks: while Redis was down or paused no relay could send one, and the time of
 * a heartbeat is useless for a relay whose clock is wrong.
 */
export function createRelayLiveness(monotonicMs: () => number) {
  const known = new Map<string, { beat: number; sinceMs: number }>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let steadySinceMs = 0;
  return {
    /** Takes the heartbeats of one look; returns the relays that are dead. */
    observe(beats: ReadonlyMap<string, number>): string[] {
      const now = monotonicMs();
      if (now - lookedAtMs > GAP_MAX_MS) {
        steadySinceMs = now;
        known.clear();
      }
      lookedAtMs = now;
      for (const relayId of known.keys()) if (!beats.has(relayId)) known.delete(relayId);
      for (const [relayId, beat] of beats)
        if (known.get(relayId)?.beat !== beat) known.set(relayId, { beat, sinceMs: now });
      return [...known].filter(([, { sinceMs }]) => now - sinceMs >= RELAY_DEAD_AFTER_MS).map(([relayId]) => relayId);
    },
    /** Whether the looks cover long enough that every living relay has been seen. */
    isSteady: (): boolean => lookedAtMs - steadySinceMs >= RELAY_DEAD_AFTER_MS,
  };
}
