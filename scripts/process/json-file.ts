import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { SetupError } from "./setup-error.ts";

/** Reads a small JSON file; undefined if it does not exist, SetupError if its content is invalid. */
export function readJsonFile<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is not JSON";
    throw new SetupError(`${path} cannot be used: ${reason}. Restore it or remove it.`);
  }
}

/** Writes a small JSON file atomically; `mode` restricts secrets to their owner from the first byte. */
export function writeJsonFile(path: string, value: unknown, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode });
  renameSync(draft, path);
}
