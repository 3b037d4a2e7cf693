import { setTimeout as wait } from "node:timers/promises";
import { type Connection, type Model, STATES } from "mongoose";
import type { Logger } from "../log/log.ts";
import { withMigrationLease } from "./migration-lease.ts";

/** With more documents than this an index takes so long that nobody should wait for it. */
const ROWS_AT_ONCE_MAX = 50_000;
const RETRY_MS = 10_000;

type AnyModel = Model<unknown>;
const modelsOf = (mongo: Connection): AnyModel[] => Object.values(mongo.models) as AnyModel[];

async function isLarge(model: AnyModel): Promise<boolean> {
  return (await model.estimatedDocumentCount()) > ROWS_AT_ONCE_MAX;
}

/** MongoDB builds beside reads and writes; a build that outlasts our patience goes on there, and the next try waits for it again. */
async function makeRest(mongo: Connection, log: Logger): Promise<void> {
  for (const model of modelsOf(mongo)) {
    const { toCreate } = await model.diffIndexes();
    if (toCreate.length === 0) continue;
    log.info({ collection: model.collection.name, indexes: toCreate.length }, "index build started");
    await model.createIndexes();
    log.info({ collection: model.collection.name }, "index build finished");
  }
}

async function keepMaking(mongo: Connection, log: Logger): Promise<void> {
  while (mongo.readyState === STATES.connected) {
    try {
      return await makeRest(mongo, log);
    } catch (error) {
      if (mongo.readyState === STATES.connected) log.warn({ err: error }, "index build failed, will be retried");
      await wait(RETRY_MS, undefined, { ref: false });
    }
  }
}

/**
 * Makes the collections of the connection's models and the indexes of those that are small, and resolves; those of large ones are
 * built while the service works, so that no start waits for them. Replicas that start together do it one after another, and a
 * repeat changes nothing. Tools, which have no log, leave those of large ones to the services.
 */
export async function migrateModels(mongo: Connection, service: string, log?: Logger): Promise<void> {
  await withMigrationLease(mongo, service, async () => {
    for (const model of modelsOf(mongo)) {
      await model.createCollection();
      if (!(await isLarge(model))) await model.createIndexes();
    }
  });
  if (log) void keepMaking(mongo, log);
}
