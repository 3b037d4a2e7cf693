import { allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { type LogEvent, toEventRow } from "./log-row.ts";
import { tallyRows, writeTallies } from "./log-tallies.ts";

export type EventLog = ReturnType<typeof createEventLog>;

/** Writes log rows of events other than calls, in the transaction of the event. */
export function createEventLog(deps: { connection: Connection; collections: Collections; nowSeconds: () => number }) {
  return {
    /**
     * Takes the next row's number, or the first of several: outside the transaction, so that concurrent events do not
     * block each other.
     */
    takeId: (count = 1): Promise<number> => allocateIds(deps.connection, "logs", count),
    async write(id: number, event: Omit<LogEvent, "createdAt">, session: ClientSession): Promise<void> {
      const row = toEventRow({ ...event, createdAt: deps.nowSeconds() }, id);
      await writeTallies(deps.collections, tallyRows([row], false), session);
      await deps.collections.logs.insertOne(row, { session });
    },
  };
}
