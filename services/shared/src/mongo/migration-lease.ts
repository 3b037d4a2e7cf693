import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "./mongo.ts";

type LeaseDoc = { _id: string; holder: string; untilMs: number };

const LEASE_MS = 60_000;
const RETRY_MS = 100;
const ATTEMPTS_MAX = (2 * LEASE_MS) / RETRY_MS;

/**
 * Runs a service's migration while no other process runs it; a process that died keeps the others out for a minute. Throws when
 * the lease does not come free within two.
 */
export async function underMigrationLease(mongo: Connection, service: string, run: () => Promise<void>): Promise<void> {
  const leases = mongo.collection<LeaseDoc>("migrations");
  const holder = randomUUID();
  const acquire = async (): Promise<boolean> => {
    const now = Date.now();
    try {
      await leases.updateOne(
        { _id: service, untilMs: { $lt: now } },
        { $set: { holder, untilMs: now + LEASE_MS } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // Somebody holds it: the upsert tried to make a second document of this id.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  let attempts = 0;
  while (!(await acquire())) {
    if (++attempts > ATTEMPTS_MAX) throw new Error("another process keeps the migration's lease");
    await wait(RETRY_MS);
  }
  try {
    await run();
  } finally {
    await leases.updateOne({ _id: service, holder }, { $set: { untilMs: 0 } });
  }
}
