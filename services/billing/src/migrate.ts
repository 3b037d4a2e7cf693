import { withMigrationLease } from "@turnpike/shared/migration/migration-lease";
import { type Connection, mongo } from "mongoose";
import type { Collections } from "./store/collections.ts";
import { createIndexMigration } from "./store/index-migration.ts";

const NAMESPACE_EXISTS = 48;

async function makeCollection(connection: Connection, name: string): Promise<void> {
  try {
    await connection.db?.createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

/** In a new database everything is tallied from the first row on; rows of versions without tallies are not. */
async function beginTallies({ logs, state }: Collections): Promise<void> {
  if ((await logs.findOne({}, { projection: { _id: 1 } })) !== null) return;
  await state.updateOne({ _id: "logs" }, { $set: { isTallied: true, isCrossTallied: true } }, { upsert: true });
}

/**
 * Creates the collections and the indexes of small ones; indexes of large ones are a housekeeping job, so that no start
 * waits for them. Replicas that start together take turns, and a repeat changes nothing.
 */
export const migrate = (connection: Connection, collections: Collections): Promise<void> =>
  withMigrationLease(connection, "billing", async () => {
    await makeCollection(connection, "counters");
    for (const name of Object.keys(collections) as (keyof Collections)[])
      await makeCollection(connection, collections[name].collectionName);
    await createIndexMigration(collections).createOnSmallCollections();
    await beginTallies(collections);
  });
