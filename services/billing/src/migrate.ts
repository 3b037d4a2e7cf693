import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { type Connection, mongo } from "mongoose";
import type { Collections } from "./store/collections.ts";
import { INDEXES } from "./store/indexes.ts";

type LeaseDoc = { _id: string; holder: string; untilMs: number };

const LEASE_ID = "billing";
const LEASE_MS = 60_000;
const RETRY_MS = 100;
const ATTEMPTS_MAX = (2 * LEASE_MS) / RETRY_MS;
const NAMESPACE_EXISTS = 48;

async function makeCollection(connection: Connection, name: string): Promise<void> {
  try {
    await connection.db?.createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

async function acquire(connection: Connection, holder: string): Promise<boolean> {
  const now = Date.now();
  try {
    await connection
      .collection<LeaseDoc>("migrations")
      .updateOne(
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
}

/** Makes the collections and their indexes; replicas that start together do it one after another, and a repeat changes nothing. */
export async function migrate(connection: Connection, collections: Collections): Promise<void> {
  const holder = randomUUID();
  let attempts = 0;
  while (!(await acquire(connection, holder))) {
    if (++attempts > ATTEMPTS_MAX) throw new Error("another process keeps the migration's lease");
    await wait(RETRY_MS);
  }
  try {
    await makeCollection(connection, "counters");
    for (const name of Object.keys(collections) as (keyof Collections)[]) {
      const collection = collections[name];
      await makeCollection(connection, collection.collectionName);
      const indexes = INDEXES[name];
      if (indexes.length > 0) await collection.createIndexes([...indexes]);
    }
  } finally {
    await connection.collection<LeaseDoc>("migrations").updateOne({ _id: LEASE_ID, holder }, { $set: { untilMs: 0 } });
  }
}
