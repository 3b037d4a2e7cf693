import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "./process/json-file.ts";
import { SetupError } from "./process/setup-error.ts";
import { readBackingFile } from "./up/backing-file.ts";
import { readSettings } from "./up/settings.ts";

const Kept = z.object({ masterKey: z.string().min(1) });

/** What a tool needs to know about the install it works on. */
export type InstallPlace = { readonly mongodbUrl: string; readonly masterKey: string };

/**
 * Finds the install: MONGODB_URL and MASTER_KEY from the environment, else the install that runs in DATA_DIR. Throws
 * SetupError that says what to set.
 */
export function findInstallPlace(env: NodeJS.ProcessEnv): InstallPlace {
  const settings = readSettings(env);
  const mongodbUrl = env["MONGODB_URL"] || readBackingFile(settings.DATA_DIR)?.MONGODB_URL;
  if (mongodbUrl === undefined)
    throw new SetupError("Nothing is up in DATA_DIR: start it with make up, or set MONGODB_URL.");
  const masterKey = settings.MASTER_KEY ?? readJsonFile(join(settings.DATA_DIR, "secrets.json"), Kept)?.masterKey;
  if (masterKey === undefined) throw new SetupError("MASTER_KEY is not set, and DATA_DIR holds none.");
  return { mongodbUrl, masterKey };
}
