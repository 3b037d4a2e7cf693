import { createSecretBox } from "../crypto/secret-box.ts";
import type { Connection, mongo } from "mongoose";

/** The form of an encrypted secret: key id, nonce, ciphertext. */
const BOX = /^[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22,}$/;
const BATCH = 500;

export type ReencryptionCounts = {
  readonly reencrypted: number;
  readonly unreadable: number;
  readonly current: number;
};

/** Paths of boxes inside a document, in MongoDB's dot notation. */
function* boxesIn(value: unknown, path: string): Generator<readonly [path: string, box: string]> {
  if (typeof value === "string") {
    if (BOX.test(value)) yield [path, value];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* boxesIn(item, `${path}.${index}`);
  } else if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [name, item] of Object.entries(value)) yield* boxesIn(item, path === "" ? name : `${path}.${name}`);
  }
}

/**
 * Re-encrypts every stored secret with the first key of the list. Services with the same list may run meanwhile: a
 * document that changes between read and write is left to the next run. Secrets that no key decrypts are counted.
 */
export async function reencryptSecrets(connection: Connection, masterKey: string): Promise<ReencryptionCounts> {
  const db = connection.db;
  if (!db) throw new Error("MongoDB is not connected");
  const box = createSecretBox(masterKey);
  const currentId = box.seal("").slice(0, 8);
  const counts = { reencrypted: 0, unreadable: 0, current: 0 };
  for (const { name } of await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray()) {
    let writes: mongo.AnyBulkWriteOperation[] = [];
    const flush = async (): Promise<void> => {
      if (writes.length > 0) counts.reencrypted += (await db.collection(name).bulkWrite(writes)).modifiedCount;
      writes = [];
    };
    for await (const document of db.collection(name).find()) {
      for (const [path, sealed] of boxesIn(document, "")) {
        if (sealed.startsWith(currentId)) {
          counts.current++;
          continue;
        }
        try {
          const fresh = box.seal(box.open(sealed));
          const filter = { _id: document._id, [path]: sealed };
          writes.push({ updateOne: { filter, update: { $set: { [path]: fresh } } } });
        } catch {
          counts.unreadable++;
        }
      }
      if (writes.length >= BATCH) await flush();
    }
    await flush();
  }
  return counts;
}
