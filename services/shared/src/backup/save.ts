import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, mongo } from "mongoose";
import { writeDocuments } from "./backup-file.ts";
import { fileOf, MANIFEST_FILE, type Manifest } from "./manifest.ts";

const UNFINISHED = ".unfinished";
/** The largest come last: should they outlive MongoDB's snapshot, it is said so. */
const LARGE = ["logs"];

async function collectionsOf(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  const names = found.map(({ name }) => name).filter((name) => !name.startsWith("system."));
  return names.toSorted((a, b) => Number(LARGE.includes(a)) - Number(LARGE.includes(b)) || a.localeCompare(b));
}

/** Removes the oldest backups of a folder but for the newest `keep`. */
export async function deleteOldBackups(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d{8}T\d{6}Z$/.test(name)).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) rmSync(join(folder, name), { recursive: true });
}

/**
 * Writes the whole database, as it was at one moment, into a new folder below `folder` and answers its path. Services may run
 * meanwhile. Fails when reading takes longer than MongoDB keeps a snapshot (five minutes unless it is told otherwise).
 */
export async function saveBackup(connection: Connection, folder: string, version: string): Promise<string> {
  const db = connection.db;
  if (!db) throw new Error("MongoDB is not connected");
  const createdAt = new Date().toISOString();
  const name = `${createdAt.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const target = join(folder, `${name}${UNFINISHED}`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const session = await connection.startSession({ snapshot: true });
  const collections: Manifest["collections"] = [];
  try {
    for (const collection of await collectionsOf(db)) {
      const cursor = db.collection(collection).find({}, { raw: true, session, batchSize: 1_000 });
      const facts = await writeDocuments(join(target, fileOf(collection)), cursor as unknown as AsyncIterable<Buffer>);
      const indexes = (await db.collection(collection).indexes()).filter((index) => index.name !== "_id_");
      collections.push({ name: collection, ...facts, indexes });
    }
  } finally {
    await session.endSession();
  }
  const manifest: Manifest = { format: 1, createdAt, version, collections };
  writeFileSync(join(target, MANIFEST_FILE), JSON.stringify(manifest, undefined, 2), { mode: 0o600 });
  const done = join(folder, name);
  renameSync(target, done);
  return done;
}
