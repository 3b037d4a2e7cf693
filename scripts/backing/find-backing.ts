import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeJsonFile } from "../process/json-file.ts";
import { endOrphan } from "../process/orphans.ts";
import { freePort, isPortFree } from "../process/ports.ts";
import { SetupError } from "../process/setup-error.ts";
import type { BackingKind, BackingServer, Report } from "./backing-kind.ts";
import { findUsableCached } from "./fetch-binary.ts";
import { findOnPath } from "./find-on-path.ts";

/** Where one backing service runs: given in the environment, shared with other programs, or run by this program. */
export type FoundBacking = {
  readonly url: string;
  readonly origin: "environment" | "shared" | "own";
  readonly server: BackingServer | undefined;
};

export type FindOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Directory of data, logs and run records of our own servers. */
  readonly dataFolder: string;
  /** Database used in the URLs of our own servers and in given URLs without a database. */
  readonly database: string;
  /** Database used on a server that this install shares with others. */
  readonly sharedDatabase: string;
  /** False: ignore environment and default ports, always run an own server. */
  readonly mayShare: boolean;
  /**
   * The records of this install are on the MongoDB at the default port. Starting an empty one instead would look like
   * data loss.
   */
  readonly mustShareMongodb?: boolean;
  readonly report: Report;
};

const RunRecord = z.object({ pid: z.number().int(), port: z.number().int() });

const holdsData = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** The URL without its password, for messages. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, "//***@");

/** Adds a database name to a MongoDB URL that has none. */
export function withDatabase(url: string, database: string): string {
  const [, origin = url, path = "", query = ""] = /^([^:]+:\/\/[^/?]+)(\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return path.length > 1 ? url : `${origin}/${database}${query}`;
}

async function fromEnvironment(kind: BackingKind, url: string, options: FindOptions): Promise<FoundBacking> {
  const result = await kind.probe(url).catch(() => ({ usable: false, reason: "it is not a proper URL" }) as const);
  const problem = result === undefined ? "no server responds there" : result.usable ? undefined : result.reason;
  if (problem !== undefined) throw new SetupError(`${kind.variable} is ${withoutPassword(url)}, but ${problem}.`);
  return {
    url: kind.name === "mongodb" ? withDatabase(url, options.database) : url,
    origin: "environment",
    server: undefined,
  };
}

async function fromUsualPort(kind: BackingKind, options: FindOptions): Promise<FoundBacking | undefined> {
  const url = kind.getUrl(kind.usualPort, options.sharedDatabase);
  const result = await kind.probe(url);
  if (result?.usable) return { url, origin: "shared", server: undefined };
  if (result)
    options.report(`the ${kind.label} on port ${kind.usualPort} cannot be used: ${result.reason}; running an own one`);
  return undefined;
}

/** The server binary: on PATH, downloaded before, or downloaded now. Throws a SetupError that names what to install. */
export async function findBinary(kind: BackingKind, report: Report): Promise<string> {
  const binary = findOnPath(kind.binaryName) ?? (await findUsableCached(kind.binaryName)) ?? (await kind.fetch(report));
  if (binary === undefined) throw new SetupError(`${kind.label} is missing and could not be fetched: ${kind.advice}.`);
  return binary;
}

/** Starts our own server on a free port, the previous one if available, after ending a server left by a crash. */
async function startOwn(kind: BackingKind, options: FindOptions): Promise<FoundBacking> {
  const binary = await findBinary(kind, options.report);
  const folder = join(options.dataFolder, kind.name);
  const recordPath = join(options.dataFolder, "run", `${kind.name}.json`);
  const last = readJsonFile(recordPath, RunRecord);
  if (last) await endOrphan(last.pid, kind.commandMark(folder, last.port));
  const port = last && (await isPortFree(last.port)) ? last.port : await freePort();
  const server = kind.createServer({
    binary,
    folder,
    port,
    logFile: join(options.dataFolder, "logs", `${kind.name}.log`),
    onStart: (pid) => writeJsonFile(recordPath, { pid, port }),
    report: options.report,
  });
  await server.start();
  return { url: kind.getUrl(port, options.database), origin: "own", server };
}

/**
 * Finds one backing service: by its URL in the environment, on its default port, or as a local server with a binary
 * from PATH, downloaded before, or downloaded now. A data folder that contains the service's data always uses its own
 * server. Throws a SetupError that names what to install or set.
 */
export async function findBacking(kind: BackingKind, options: FindOptions): Promise<FoundBacking> {
  const given = options.mayShare ? options.env[kind.variable] : undefined;
  if (given !== undefined && given !== "") return fromEnvironment(kind, given, options);
  const hasOwn = holdsData(join(options.dataFolder, kind.name));
  const shared = options.mayShare && !hasOwn ? await fromUsualPort(kind, options) : undefined;
  if (shared === undefined && kind.name === "mongodb" && options.mustShareMongodb === true) {
    const place = `the MongoDB on port ${kind.usualPort}, database ${options.sharedDatabase}`;
    throw new SetupError(
      `This install keeps its records in ${place}, which cannot be used now. Start it or set MONGODB_URL.`,
    );
  }
  return shared ?? startOwn(kind, options);
}
