import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinary } from "../../scripts/backing/find-backing.ts";
import { mongodb } from "../../scripts/backing/mongodb.ts";
import { makePrimary } from "../../scripts/backing/mongodb-replica-set.ts";
import { nats } from "../../scripts/backing/nats.ts";
import { redis } from "../../scripts/backing/redis.ts";

const PORTS = { mongodb: 28_017, redis: 28_379, nats: 28_222 } as const;
const KINDS = { mongodb, redis, nats } as const;
type Name = keyof typeof PORTS;
const STARTS_WITHIN_MS = 30_000;

async function untilOpen(host: string, port: number): Promise<void> {
  const untilMs = Date.now() + STARTS_WITHIN_MS;
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host, port }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
  while (!(await isOpen())) {
    if (Date.now() > untilMs) throw new Error(`nothing listens on ${host}:${port}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** MongoDB, Redis and NATS outside the cluster, on an address that pods can reach. The caller stops them. */
export async function startClusterBackings(host: string) {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-cluster-"));
  for (const name of Object.keys(PORTS)) mkdirSync(join(folder, name));
  const parameters: Readonly<Record<Name, readonly string[]>> = {
    mongodb: [
      "--replSet",
      "rs0",
      "--bind_ip",
      host,
      "--port",
      `${PORTS.mongodb}`,
      "--dbpath",
      join(folder, "mongodb"),
      "--quiet",
    ],
    redis: [
      "--bind",
      host,
      "--port",
      `${PORTS.redis}`,
      "--dir",
      join(folder, "redis"),
      "--appendonly",
      "yes",
      "--protected-mode",
      "no",
    ],
    nats: ["-js", "-a", host, "-p", `${PORTS.nats}`, "-sd", join(folder, "nats")],
  };
  const running = new Map<Name, ChildProcess>();
  const start = async (name: Name): Promise<void> => {
    const path = await findBinary(KINDS[name], console.log);
    running.set(name, spawn(path, parameters[name], { stdio: "ignore" }));
    await untilOpen(host, PORTS[name]);
    if (name === "mongodb") await makePrimary(host, PORTS.mongodb);
  };
  const stop = async (name: Name): Promise<void> => {
    const child = running.get(name);
    running.delete(name);
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  };
  for (const name of Object.keys(PORTS) as Name[]) await start(name);
  return {
    urls: {
      mongodbUrl: `mongodb://${host}:${PORTS.mongodb}/turnpike?replicaSet=rs0`,
      redisUrl: `redis://${host}:${PORTS.redis}`,
      natsUrl: `nats://${host}:${PORTS.nats}`,
    },
    /** Restarts a server as its operator would. */
    async restart(name: Name): Promise<void> {
      await stop(name);
      await start(name);
    },
    async stopAll(): Promise<void> {
      for (const name of running.keys()) await stop(name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
