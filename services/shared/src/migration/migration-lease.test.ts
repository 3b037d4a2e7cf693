import { type Connection, mongo } from "mongoose";
import { expect, it } from "vitest";
import { withMigrationLease } from "./migration-lease.ts";

/** A database whose first write succeeds without a confirmation, as on a machine that is too busy to replicate in time. */
function createBusyDatabase() {
  let holder = "";
  let writes = 0;
  const updateOne = async (_filter: object, { $set = {} }: { $set?: { holder?: string } }) => {
    const isFree = holder === "" || holder === $set.holder;
    if (isFree) holder = $set.holder ?? holder;
    if (++writes === 1) throw new mongo.MongoServerError({ message: "waiting for replication timed out", code: 64 });
    return { matchedCount: isFree ? 1 : 0, upsertedCount: 0 };
  };
  return { collection: () => ({ updateOne }) } as unknown as Connection;
}

it("a start goes on with its own lease when the write that took it was reported as failed", async () => {
  let runs = 0;
  await withMigrationLease(createBusyDatabase(), "billing", async () => void runs++);
  expect(runs).toBe(1);
});
