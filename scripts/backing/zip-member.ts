import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";

/** Records of a ZIP archive (APPNOTE.TXT 4.3): signature, length without the variable parts. */
const END = { signature: 0x06054b50, bytes: 22 };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const COMMENT_BYTES_MAX = 65_535;
const STORED = 0;
const DEFLATED = 8;

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The directory at the archive's end. */
async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const length = Math.min(size, END.bytes + COMMENT_BYTES_MAX);
  const tail = await read(file, size - length, length);
  for (let at = tail.length - END.bytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END.signature) continue;
    return read(file, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12));
  }
  throw new Error("it is no ZIP archive");
}

type Member = { readonly method: number; readonly bytes: number; readonly offset: number };

function findMember(directory: Buffer, name: string): Member | undefined {
  for (let at = 0; at + ENTRY.bytes <= directory.length && directory.readUInt32LE(at) === ENTRY.signature;) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const next = at + ENTRY.bytes + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (directory.toString("utf8", at + ENTRY.bytes, at + ENTRY.bytes + nameBytes) === name)
      return {
        method: directory.readUInt16LE(at + 10),
        bytes: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      };
    at = next;
  }
  return undefined;
}

/** Where the member's data begins: after its own header, whose variable parts may differ from the directory's. */
async function findData(file: FileHandle, { offset }: Member): Promise<number> {
  const header = await read(file, offset, LOCAL.bytes);
  if (header.length < LOCAL.bytes || header.readUInt32LE(0) !== LOCAL.signature) throw new Error("it is damaged");
  return offset + LOCAL.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** Extracts one member of a ZIP archive to `target`. Throws with the reason if it has none of that name. */
export async function extractMember(archive: string, name: string, target: string): Promise<void> {
  const file = await open(archive);
  try {
    const member = findMember(await readDirectory(file), name);
    if (!member) throw new Error(`it does not contain ${name}`);
    const { method, bytes } = member;
    if (method !== STORED && method !== DEFLATED) throw new Error(`its compression (${method}) is not supported`);
    const start = await findData(file, member);
    mkdirSync(dirname(target), { recursive: true });
    const data = createReadStream(archive, { start, end: start + bytes - 1 });
    const output = createWriteStream(target);
    await (method === STORED ? pipeline(data, output) : pipeline(data, createInflateRaw(), output));
  } finally {
    await file.close();
  }
}
