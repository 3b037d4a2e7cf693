import { closeSync, createReadStream, existsSync, openSync, readSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { SetupError } from "../../process/setup-error.ts";

const SQLITE_MAGIC = "SQLite format 3\0";
const GZIP_MAGIC = "\u001f\u008b";
/** The custom format of pg_dump. */
const PG_CUSTOM_MAGIC = "PGDMP";
/** The length of the beginning of a dump that shows which database wrote it. */
const HEAD_LENGTH = 65_536;
const POSTGRES = /^-- PostgreSQL database dump|^(?:COPY|INSERT INTO|CREATE TABLE) (?:"?\w+"?\.)?"LiteLLM_/m;

function startsWith(path: string, magic: string): boolean {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(magic.length);
  readSync(file, bytes, 0, magic.length, 0);
  closeSync(file);
  return bytes.toString("latin1") === magic;
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_");

/** The text of a dump, plain or gzip, in pieces. Throws SetupError where a gzip is damaged or ends early. */
export async function* readDumpText(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const input = startsWith(path, GZIP_MAGIC) ? file.pipe(createGunzip()) : file;
  input.setEncoding("utf8");
  try {
    for await (const piece of input as AsyncIterable<string>) yield piece;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new SetupError(`${path} is a damaged gzip file: ${(error as Error).message}.`);
  } finally {
    file.destroy();
  }
}

/** The database that wrote a file. Throws SetupError if the file is missing, or in a format that only PostgreSQL's tools read. */
export async function findFormat(path: string): Promise<"sqlite" | "postgres" | "mysql"> {
  if (!existsSync(path)) throw new SetupError(`${path} does not exist.`);
  if (startsWith(path, SQLITE_MAGIC)) return "sqlite";
  if (startsWith(path, PG_CUSTOM_MAGIC))
    throw new SetupError(`${path} is pg_dump's custom format. Make text of it: pg_restore -f dump.sql ${path}`);
  let head = "";
  for await (const piece of readDumpText(path)) {
    head += piece;
    if (head.length >= HEAD_LENGTH) break;
  }
  return POSTGRES.test(head) ? "postgres" : "mysql";
}
