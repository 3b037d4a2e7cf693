import type { Logger } from "@turnpike/shared/log/log";
import { usageRecords } from "../store/metrics.ts";
import type { Collections } from "../store/collections.ts";

/** The maximum payload size that MongoDB accepts with certainty. */
const PAYLOAD_LENGTH_MAX = 1_000_000;

export type DeadLetters = ReturnType<typeof createDeadLetters>;

/**
 * Stores dead letters: records that cannot be posted, so that they block nothing and are not lost. Throws while MongoDB
 * is down.
 */
export function createDeadLetters(deps: { collections: Collections; log: Logger }) {
  return {
    async add(payload: string, reason: string): Promise<void> {
      await deps.collections.deadLetters.insertOne({
        payload: payload.slice(0, PAYLOAD_LENGTH_MAX),
        reason,
        createdAt: new Date(),
      });
      usageRecords.inc({ outcome: "dead_lettered" });
      deps.log.error({ reason }, "usage record dead-lettered");
    },
  };
}
