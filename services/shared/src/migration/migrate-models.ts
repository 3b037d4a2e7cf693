import type { Connection, Model } from "mongoose";
import { retry } from "../concurrency/retry.ts";
import type { Logger } from "../log/log.ts";
import { withMigrationLease } from "./migration-lease.ts";

/** Above this number of documents, an index build takes too long to wait for at startup. */
const ROWS_AT_ONCE_MAX = 50_000;
const BACKOFF = { firstMs: 10_000, maxMs: 60_000 };

type AnyModel = Model<unknown>;
const listModels = (mongo: Connection): AnyModel[] => Object.values(mongo.models) as AnyModel[];

async function isLarge(model: AnyModel): Promise<boolean> {
  return (await model.estimatedDocumentCount()) > ROWS_AT_ONCE_MAX;
}

/**
 * MongoDB builds an index while it serves reads and writes; a build that outlasts this timeout continues there, and the
 * next attempt waits for it again.
 */
async function createRemainingIndexes(mongo: Connection, log: Logger): Promise<void> {
  for (const model of listModels(mongo)) {
    const { toCreate } = await model.diffIndexes();
    if (toCreate.length === 0) continue;
    log.info({ collection: model.collection.name, indexes: toCreate.length }, "index build started");
    await model.createIndexes();
    log.info({ collection: model.collection.name }, "index build finished");
  }
}

async function retryIndexes(mongo: Connection, log: Logger): Promise<void> {
  const closing = new AbortController();
  mongo.once("close", () => closing.abort());
  const onRetry = (error: unknown): void => log.warn({ err: error }, "index build failed, will be retried");
  await retry(() => createRemainingIndexes(mongo, log), { backoff: BACKOFF, signal: closing.signal, onRetry }).catch(
    () => undefined,
  );
}

/**
 * Creates the collections of the connection's models and the indexes of small ones, then resolves; indexes of large
 * collections are built while the service runs, so that no start waits for them. Replicas that start together run it
 * one after another, and a repeat changes nothing. Command-line tools, which have no log, leave indexes of large
 * collections to the services.
 */
export async function migrateModels(mongo: Connection, service: string, log?: Logger): Promise<void> {
  await withMigrationLease(mongo, service, async () => {
    for (const model of listModels(mongo)) {
      await model.createCollection();
      if (!(await isLarge(model))) await model.createIndexes();
    }
  });
  if (log) void retryIndexes(mongo, log);
}
