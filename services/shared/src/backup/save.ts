import { IN_SNAPSHOT } from "../mongo/mongo.ts";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, mongo } from "mongoose";
import { writeDocuments } from "./backup-file.ts";
import { toFileName, MANIFEST_FILE, type Manifest } from "./manifest.ts";

const UNFINISHED = ".unfinished";
/** The largest collections come last: if the backup outlasts MongoDB's snapshot, the error names one of them. */
const LARGE = ["logs"];

async function listCollections(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  const names = found.map(({ name }) => name).filter((name) => !name.startsWith("system."));
  return names.toSorted((a, b) => Number(LARGE.includes(a)) - Number(LARGE.includes(b)) || a.localeCompare(b));
}

/** Removes all but the newest `keep` backups of a folder. */
export async function deleteOldBackups(folder: string, backupsMax: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d{8}T\d{6}Z$/.test(name)).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - backupsMax)))
    rmSync(join(folder, name), { recursive: true });
}

/**
 * Writes the whole database, as it was at one moment, into a new folder below `folder` and returns its path. Services
 * may run meanwhile. Fails when reading takes longer than MongoDB keeps a snapshot (five minutes by default).
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
    for (const collection of await listCollections(db)) {
      const cursor = db.collection(collection).find({}, { raw: true, session, ...IN_SNAPSHOT, batchSize: 1_000 });
      const facts = await writeDocuments(
        join(target, toFileName(collection)),
        cursor as unknown as AsyncIterable<Buffer>,
      );
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
