import type { Connection } from "mongoose";
import { underMigrationLease } from "./migration-lease.ts";

/**
 * Makes the collections and indexes of the connection's models; replicas that start together do it one after another, and a
 * repeat changes nothing.
 */
export const migrateModels = (mongo: Connection, service: string): Promise<void> =>
  underMigrationLease(mongo, service, async () => {
    for (const model of Object.values(mongo.models)) {
      await model.createCollection();
      await model.createIndexes();
    }
  });
