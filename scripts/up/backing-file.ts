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

/** Where the running install keeps its records; undefined while it is not up. */
export const readBackingFile = (dataFolder: string): BackingFile | undefined =>
  readJsonFile(pathIn(dataFolder), BackingFile);

/** Says it to tools; only for the owner, since a URL may hold a password. Answers the removal. */
export function writeBackingFile(dataFolder: string, content: BackingFile): () => void {
  writeJsonFile(pathIn(dataFolder), content, 0o600);
  return () => rmSync(pathIn(dataFolder), { force: true });
}
