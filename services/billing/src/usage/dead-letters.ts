import type { Logger } from "@turnpike/shared/log/log";
import { usageRecords } from "../store/metrics.ts";
import type { Collections } from "../store/collections.ts";

/** As much of a payload as MongoDB surely takes. */
const PAYLOAD_LENGTH_MAX = 1_000_000;

export type DeadLetters = ReturnType<typeof createDeadLetters>;

/** Keeps what cannot be booked, so that it stands in nobody's way and is not lost. Throws while MongoDB is away. */
export function createDeadLetters(deps: { collections: Collections; log: Logger }) {
  return {
    async keep(payload: string, reason: string): Promise<void> {
      await deps.collections.deadLetters.insertOne({
        payload: payload.slice(0, PAYLOAD_LENGTH_MAX),
        reason,
        createdAt: new Date(),
      });
      usageRecords.inc({ outcome: "dead_lettered" });
      deps.log.error({ reason }, "a usage record cannot be booked; it was put aside");
    },
  };
}
