import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeJsonFile } from "../process/json-file.ts";
import { isRunning } from "../process/orphans.ts";
import { SetupError } from "../process/setup-error.ts";

const Secrets = z.object({ masterKey: z.string().min(1), internalSecret: z.string().min(16) });
const Install = z.object({
  /** Distinguishes this install from others on a shared server. */
  id: z.string().regex(/^[a-z0-9]+$/),
  /** Set once the records of this install are on a MongoDB that another party runs. */
  sharesMongodb: z.boolean().default(false),
});
const Holder = z.object({ pid: z.number().int() });

/**
 * Secrets of this install: given ones take precedence, others are generated once and stored readable by the owner only.
 */
export function readSecrets(
  folder: string,
  given: { masterKey: string | undefined; internalSecret: string | undefined },
): z.output<typeof Secrets> {
  const path = join(folder, "secrets.json");
  const { masterKey, internalSecret } = given;
  if (masterKey !== undefined && internalSecret !== undefined) return { masterKey, internalSecret };
  let secrets = readJsonFile(path, Secrets);
  if (!secrets) {
    secrets = { masterKey: randomBytes(32).toString("base64"), internalSecret: randomBytes(32).toString("base64url") };
    writeJsonFile(path, secrets, 0o600);
  }
  return { masterKey: masterKey ?? secrets.masterKey, internalSecret: internalSecret ?? secrets.internalSecret };
}

/** The id of this install; generated at the first start. */
export function readInstall(folder: string): z.output<typeof Install> {
  const path = join(folder, "install.json");
  const known = readJsonFile(path, Install);
  if (known) return known;
  const install = { id: randomBytes(4).toString("hex"), sharesMongodb: false };
  writeJsonFile(path, install);
  return install;
}

export const rememberSharedMongodb = (folder: string, id: string): void =>
  writeJsonFile(join(folder, "install.json"), { id, sharesMongodb: true });

function openDataFolder(folder: string): void {
  try {
    mkdirSync(join(folder, "run"), { recursive: true });
    accessSync(join(folder, "run"), constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw new SetupError(`The data folder ${folder} is not writable (${reason}). Set DATA_DIR to another folder.`);
  }
}

/**
 * Locks the data folder for this process; throws SetupError while another supervisor holds it. Returns the release
 * function.
 */
export function takeDataFolder(folder: string, mark: string): () => void {
  const path = join(folder, "run", "up.json");
  openDataFolder(folder);
  const holder = readJsonFile(path, Holder);
  if (holder && holder.pid !== process.pid && isRunning(holder.pid, mark))
    throw new SetupError(
      `${folder} is in use by process ${holder.pid}. Stop that one (kill ${holder.pid}), or set DATA_DIR, PORT and RELAY_PORT for a second install.`,
    );
  writeJsonFile(path, { pid: process.pid });
  return () => rmSync(path, { force: true });
}
