import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeJsonFile } from "../process/json-file.ts";

const BackingFile = z.object({
  MONGODB_URL: z.string(),
  REDIS_URL: z.string(),
  NATS_URL: z.string(),
  NAMESPACE: z.string(),
});
export type BackingFile = z.output<typeof BackingFile>;

const pathIn = (dataFolder: string): string => join(dataFolder, "run", "backing.json");

/** URL of the running install's database; undefined while it is down. */
export const readBackingFile = (dataFolder: string): BackingFile | undefined =>
  readJsonFile(pathIn(dataFolder), BackingFile);

/**
 * Publishes the URL for tools; readable by the owner only, since it may contain a password. Returns the removal
 * function.
 */
export function writeBackingFile(dataFolder: string, content: BackingFile): () => void {
  writeJsonFile(pathIn(dataFolder), content, 0o600);
  return () => rmSync(pathIn(dataFolder), { force: true });
}
