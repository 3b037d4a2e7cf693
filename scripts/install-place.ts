import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "./process/json-file.ts";
import { SetupError } from "./process/setup-error.ts";
import { readBackingFile } from "./up/backing-file.ts";
import { readSettings } from "./up/up-settings.ts";

const StoredSecrets = z.object({ masterKey: z.string().min(1) });

/** What a tool needs to know about the install it works on. */
export type InstallPlace = {
  readonly mongodbUrl: string;
  readonly masterKey: string;
  /** Undefined if neither the environment nor a running install names it. */
  readonly natsUrl: string | undefined;
  /** Prefix of the subjects. */
  readonly namespace: string;
};

/**
 * Finds the install: MONGODB_URL and MASTER_KEY from the environment, else the install that runs in DATA_DIR. Throws a
 * SetupError that names what to set.
 */
export function findInstallPlace(env: NodeJS.ProcessEnv): InstallPlace {
  const settings = readSettings(env);
  const running = readBackingFile(settings.DATA_DIR);
  const mongodbUrl = env["MONGODB_URL"] || running?.MONGODB_URL;
  if (mongodbUrl === undefined)
    throw new SetupError("Nothing is up in DATA_DIR: start it with make up, or set MONGODB_URL.");
  const masterKey =
    settings.MASTER_KEY ?? readJsonFile(join(settings.DATA_DIR, "secrets.json"), StoredSecrets)?.masterKey;
  if (masterKey === undefined) throw new SetupError("MASTER_KEY is not set, and DATA_DIR holds none.");
  // Another database than the running install's may belong to services on another NATS.
  const own = mongodbUrl === running?.MONGODB_URL ? running : undefined;
  const natsUrl = env["NATS_URL"] || own?.NATS_URL;
  return { mongodbUrl, masterKey, natsUrl, namespace: settings.NAMESPACE ?? own?.NAMESPACE ?? "" };
}
