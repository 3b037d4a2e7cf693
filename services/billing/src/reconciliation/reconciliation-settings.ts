import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Settings = z.object({
  MONGODB_URL: z.string().min(1),
  REDIS_URL: z.string().optional(),
  NATS_URL: z.string().optional(),
  NAMESPACE: z.string().default(""),
});
export type ReconciliationSettings = z.output<typeof Settings> & {
  /** Where this machine's relays have their spools; undefined if that is not known. */
  readonly spoolFolder?: string;
};

const SPOOL = "spool";

/**
 * Where to connect: the environment when it names MongoDB, else what the running install wrote to
 * DATA_DIR/run/backing.json. Throws with what to set when neither exists.
 */
export function readReconciliationSettings(env: NodeJS.ProcessEnv): ReconciliationSettings {
  const given = env["DATA_DIR"];
  if (env["MONGODB_URL"] !== undefined && env["MONGODB_URL"] !== "")
    return { ...Settings.parse(env), ...(given === undefined ? {} : { spoolFolder: join(given, SPOOL) }) };
  const dataFolder = given ?? "./data";
  const path = join(dataFolder, "run", "backing.json");
  try {
    return { ...Settings.parse(JSON.parse(readFileSync(path, "utf8"))), spoolFolder: join(dataFolder, SPOOL) };
  } catch (error) {
    throw new Error(`no MONGODB_URL is set, and ${path} cannot be read: is the system up?`, { cause: error });
  }
}
