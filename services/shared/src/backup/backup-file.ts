import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

/** The facts of one collection's file, for the check at restore. */
export type FileFacts = { readonly count: number; readonly sha256: string };

/** Writes BSON documents one after another, compressed; readable by the owner only. */
export async function writeDocuments(path: string, documents: AsyncIterable<Buffer>): Promise<FileFacts> {
  const hash = createHash("sha256");
  let count = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const document of documents) {
      count++;
      hash.update(document);
      yield document;
    }
  }
  await pipeline(counted, createGzip({ level: 4 }), createWriteStream(path, { mode: 0o600 }));
  return { count, sha256: hash.digest("hex") };
}

const LENGTH_BYTES = 4;

/**
 * Reads the documents back; each stores its length in its first four bytes. Throws when the file is truncated or
 * altered.
 */
export async function* readDocuments(path: string, facts: FileFacts): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  const bytes = createReadStream(path).pipe(createGunzip());
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    while (rest.length - from >= LENGTH_BYTES) {
      const length = rest.readInt32LE(from);
      if (rest.length - from < length) break;
      const document = rest.subarray(from, from + length);
      hash.update(document);
      count++;
      from += length;
      yield document;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0 || count !== facts.count || hash.digest("hex") !== facts.sha256)
    throw new Error(`${path} is incomplete or altered: ${count} of ${facts.count} documents`);
}
