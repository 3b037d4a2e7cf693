import { underMigrationLease } from "@turnpike/shared/mongo/migration-lease";
import { type Connection, mongo } from "mongoose";
import type { Collections } from "./store/collections.ts";
import { INDEXES } from "./store/indexes.ts";

const NAMESPACE_EXISTS = 48;

async function makeCollection(connection: Connection, name: string): Promise<void> {
  try {
    await connection.db?.createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

/** Makes the collections and their indexes; replicas that start together do it one after another, and a repeat changes nothing. */
export const migrate = (connection: Connection, collections: Collections): Promise<void> =>
  underMigrationLease(connection, "billing", async () => {
    await makeCollection(connection, "counters");
    for (const name of Object.keys(collections) as (keyof Collections)[]) {
      const collection = collections[name];
      await makeCollection(connection, collection.collectionName);
      const indexes = INDEXES[name];
      if (indexes.length > 0) await collection.createIndexes([...indexes]);
    }
  });
