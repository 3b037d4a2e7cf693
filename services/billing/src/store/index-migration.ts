import type { Logger } from "@turnpike/shared/log/log";
import { mongo } from "mongoose";
import type { Collections } from "./collections.ts";
import { INDEXES } from "./indexes.ts";
import { OBSOLETE_INDEXES } from "./obsolete-indexes.ts";

/** With more rows than this an index takes so long that nobody should wait for it. */
const ROWS_AT_ONCE_MAX = 50_000;
const NAMESPACE_NOT_FOUND = 26;

type Name = keyof Collections;

async function namesOf(collection: mongo.Collection<mongo.Document>): Promise<Set<string>> {
  try {
    return new Set((await collection.indexes()).map(({ name }) => name ?? ""));
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}

/**
 * Brings the indexes of a database to what this version asks for. Small collections get theirs before the service starts; large
 * ones while it works, one after another, since MongoDB builds them beside reads and writes.
 */
export function createIndexKeeper(collections: Collections) {
  const names = Object.keys(collections) as Name[];
  const plainOf = (name: Name) => collections[name] as unknown as mongo.Collection<mongo.Document>;
  const missingOf = async (name: Name) => {
    const known = await namesOf(plainOf(name));
    return INDEXES[name].filter((index) => !known.has(index.name));
  };
  return {
    /** Makes what is missing on small collections. */
    async makeSmall(): Promise<void> {
      for (const name of names) {
        const missing = await missingOf(name);
        if (missing.length === 0) continue;
        if ((await plainOf(name).estimatedDocumentCount()) > ROWS_AT_ONCE_MAX) continue;
        await plainOf(name).createIndexes([...missing]);
      }
    },
    /**
     * Makes what is missing on large collections and then drops what has been replaced. A build that outlasts the connection's
     * patience goes on in MongoDB; the next run waits for it again.
     */
    async makeRest(log: Logger): Promise<void> {
      const { bulkUntilMs = 0 } = (await collections.state.findOne({ _id: "logs" })) ?? {};
      if (bulkUntilMs > Date.now()) return;
      for (const name of names) {
        for (const index of await missingOf(name)) {
          log.info({ collection: name, index: index.name }, "an index is being built");
          await plainOf(name).createIndexes([index]);
        }
        const known = await namesOf(plainOf(name));
        for (const old of (OBSOLETE_INDEXES[name] ?? []).filter((each) => known.has(each)))
          await plainOf(name).dropIndex(old);
      }
    },
  };
}
