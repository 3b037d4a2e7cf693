import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Connection, mongo } from "mongoose";
import { readDocuments } from "./backup-file.ts";
import { toFileName, MANIFEST_FILE, Manifest } from "./manifest.ts";

const BATCH = 1_000;
/** Numbers keep their BSON type. */
const AS_WRITTEN = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const;
const NAMESPACE_EXISTS = 48;

async function mustBeEmpty(db: mongo.Db): Promise<void> {
  for (const { name } of await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray())
    if ((await db.collection(name).estimatedDocumentCount()) > 0)
      throw new Error(`the database ${db.databaseName} is not empty (${name}): restore into an empty one`);
}

async function restoreCollection(db: mongo.Db, folder: string, facts: Manifest["collections"][number]): Promise<void> {
  await db.createCollection(facts.name).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  });
  const collection = db.collection(facts.name);
  let batch: mongo.BSON.Document[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await collection.insertMany(batch, { writeConcern: { w: "majority" } });
    batch = [];
  };
  for await (const document of readDocuments(join(folder, toFileName(facts.name)), facts)) {
    batch.push(mongo.BSON.deserialize(document, AS_WRITTEN));
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  const indexes = facts.indexes.map(({ v: _version, ns: _namespace, ...index }) => index);
  if (indexes.length > 0) await collection.createIndexes(indexes as unknown as mongo.IndexDescription[]);
}

/**
 * Restores a backup into an empty database and returns its contents. Redis and NATS of the install must be empty too,
 * because balances are then loaded from this database. Throws when the database is not empty, or when a file is
 * corrupt.
 */
export async function restoreBackup(connection: Connection, folder: string): Promise<Manifest> {
  const db = connection.db;
  if (!db) throw new Error("MongoDB is not connected");
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST_FILE), "utf8")));
  await mustBeEmpty(db);
  for (const facts of manifest.collections) await restoreCollection(db, folder, facts);
  // Leases belong to processes that ran at the time of the backup.
  await db.collection("migrations").updateMany({}, { $set: { untilMs: 0 } });
  return manifest;
}
