import type { Logger } from "@turnpike/shared/log/log";
import { mongo } from "mongoose";
import type { Collections } from "./collections.ts";
import { INDEXES } from "./indexes.ts";
import { OBSOLETE_INDEXES } from "./obsolete-indexes.ts";

/** With more rows than this, building an index takes too long to wait for. */
const ROWS_AT_ONCE_MAX = 50_000;
const NAMESPACE_NOT_FOUND = 26;

type Name = keyof Collections;

async function listNames(collection: mongo.Collection<mongo.Document>): Promise<Set<string>> {
  try {
    return new Set((await collection.indexes()).map(({ name }) => name ?? ""));
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}

/**
 * Brings the indexes of a database to what this version requires. Small collections get theirs before the service
 * starts; large ones while it runs, one after another, since MongoDB builds them concurrently with reads and writes.
 */
export function createIndexMigration(collections: Collections) {
  const names = Object.keys(collections) as Name[];
  const getCollection = (name: Name) => collections[name] as unknown as mongo.Collection<mongo.Document>;
  const findMissing = async (name: Name) => {
    const known = await listNames(getCollection(name));
    return INDEXES[name].filter((index) => !known.has(index.name));
  };
  return {
    /** Creates missing indexes on small collections. */
    async createOnSmallCollections(): Promise<void> {
      for (const name of names) {
        const missing = await findMissing(name);
        if (missing.length === 0) continue;
        if ((await getCollection(name).estimatedDocumentCount()) > ROWS_AT_ONCE_MAX) continue;
        await getCollection(name).createIndexes([...missing]);
      }
    },
    /**
     * Creates missing indexes on large collections and then drops the replaced ones. A build that exceeds the
     * connection's timeout continues in MongoDB; the next run waits for it again.
     */
    async createRemaining(log: Logger): Promise<void> {
      const { bulkUntilMs = 0 } = (await collections.state.findOne({ _id: "logs" })) ?? {};
      if (bulkUntilMs > Date.now()) return;
      for (const name of names) {
        for (const index of await findMissing(name)) {
          log.info({ collection: name, index: index.name }, "index build started");
          await getCollection(name).createIndexes([index]);
        }
        const known = await listNames(getCollection(name));
        for (const old of (OBSOLETE_INDEXES[name] ?? []).filter((each) => known.has(each)))
          await getCollection(name).dropIndex(old);
      }
    },
  };
}
