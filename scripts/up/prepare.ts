import { join } from "node:path";
import { type Backings, type FindAllOptions, findAllBackings } from "../backing/find-all.ts";
import { findPortHolder } from "../process/port-holder.ts";
import { isPortFree } from "../process/ports.ts";
import { SetupError } from "../process/setup-error.ts";
import { readInstall, readSecrets, rememberSharedMongodb } from "./data-folder.ts";
import type { SystemOptions } from "./service-specs.ts";
import type { Settings } from "./up-settings.ts";

/** Throws one SetupError that lists each required port in use, who uses it, and its variable. */
export async function checkPorts(settings: Settings): Promise<void> {
  const ports = [
    { variable: "PORT", port: settings.PORT },
    { variable: "RELAY_PORT", port: settings.RELAY_PORT },
  ];
  const checked = await Promise.all(
    ports.map(async (entry) => ({ ...entry, free: await isPortFree(entry.port, settings.HOST) })),
  );
  const taken = checked.filter(({ free }) => !free);
  if (taken.length === 0) return;
  const list = taken.map(({ variable, port }) => {
    const holder = findPortHolder(port);
    const by = holder ? `process ${holder.pid} (${holder.command})` : "another program";
    return `Port ${port} is in use by ${by}. Stop it, or choose another port: ${variable}=${port + 100} make up`;
  });
  throw new SetupError(list.join("\n"));
}

/** Finds or starts the backing services of this install and stores whether its records are on a shared MongoDB. */
export async function findInstallBackings(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  { report, onFound }: Pick<FindAllOptions, "report" | "onFound">,
): Promise<Backings> {
  const folder = settings.DATA_DIR;
  const install = readInstall(folder);
  const backings = await findAllBackings({
    env,
    dataFolder: folder,
    database: settings.MONGODB_DATABASE,
    sharedDatabase: `turnpike_${install.id}`,
    mayShare: true,
    mustShareMongodb: install.sharesMongodb,
    report,
    ...(onFound && { onFound }),
  });
  if (backings.found.mongodb.origin === "shared" && !install.sharesMongodb) rememberSharedMongodb(folder, install.id);
  return backings;
}

/** Builds the configuration of the services. Keys and subjects contain the install's id if a server is shared. */
export function systemOptions(facts: {
  root: string;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  backings: Backings;
}): SystemOptions {
  const { root, settings, env, backings } = facts;
  const { id } = readInstall(settings.DATA_DIR);
  const isShared = backings.found.redis.origin === "shared" || backings.found.nats.origin === "shared";
  const secrets = readSecrets(settings.DATA_DIR, {
    masterKey: settings.MASTER_KEY,
    internalSecret: settings.INTERNAL_SECRET,
  });
  return {
    root,
    env,
    host: settings.HOST,
    port: settings.PORT,
    relayPort: settings.RELAY_PORT,
    relayWorkers: settings.RELAY_WORKERS,
    dataFolder: join(settings.DATA_DIR),
    logLevel: settings.LOG_LEVEL,
    masterKey: secrets.masterKey,
    internalSecret: secrets.internalSecret,
    mongodbUrl: backings.mongodbUrl,
    redisUrl: backings.redisUrl,
    natsUrl: backings.natsUrl,
    namespace: settings.NAMESPACE ?? (isShared ? id : ""),
  };
}
