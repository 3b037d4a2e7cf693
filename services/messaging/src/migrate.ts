import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";

type LeaseDoc = { _id: string; holder: string; untilMs: number };

const LEASE_ID = "messaging";
const LEASE_MS = 60_000;
const RETRY_MS = 100;
const ATTEMPTS_MAX = (2 * LEASE_MS) / RETRY_MS;

/** Makes the collections and their indexes; replicas that start together do it one after another, and a repeat changes nothing. */
export async function migrate(mongo: Connection): Promise<void> {
  const leases = mongo.collection<LeaseDoc>("migrations");
  const holder = randomUUID();
  const acquire = async (): Promise<boolean> => {
    const now = Date.now();
    try {
      await leases.updateOne(
        { _id: LEASE_ID, untilMs: { $lt: now } },
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
    for (const model of Object.values(mongo.models)) {
      await model.createCollection();
      await model.createIndexes();
    }
  } finally {
    await leases.updateOne({ _id: LEASE_ID, holder }, { $set: { untilMs: 0 } });
  }
}
