import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findBinary } from "./store-binaries.ts";
import { freePorts } from "../../../scripts/process/ports.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const USER = "turnpike";
const PASSWORD = "redis-secret";
const SENTINEL_USER = "watcher";
const SENTINEL_PASSWORD = "sentinel-secret";
const PRIMARY_NAME = "turnpike";
const DOWN_AFTER_MS = 2_000;
const READY_TIMEOUT_MS = 30_000;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!(await isDone().catch(() => false))) {
    if (Date.now() > giveUpAt) throw new Error(`${what} did not happen`);
    await pause(100);
  }
}

const COMMON = ["--bind", "127.0.0.1", "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"];
/** Clients sign in by name: the default user, which a password alone means, is off. */
const PROTECTED = ["--user", "default", "off", "--user", USER, "on", `>${PASSWORD}`, "~*", "&*", "+@all"];
const PRIMARY_LOGIN = ["--masteruser", USER, "--masterauth", PASSWORD];

/** The files of the certificate that servers present; clients need not have one. */
export type RedisTls = { readonly certFile: string; readonly keyFile: string };

/** The settings of servers and sentinels for their port, encrypted or not. */
const getPortSettings = (port: number, tls?: RedisTls): readonly (readonly [string, string])[] =>
  tls
    ? [
        ["port", "0"],
        ["tls-port", String(port)],
        ["tls-cert-file", tls.certFile],
        ["tls-key-file", tls.keyFile],
        ["tls-ca-cert-file", tls.certFile],
        ["tls-auth-clients", "no"],
        ["tls-replication", "yes"],
      ]
    : [["port", String(port)]];

type ServerSpec = {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly tls: RedisTls | undefined;
  readonly more?: readonly string[];
};

async function createServer({ name, port, folder, tls, more = [] }: ServerSpec): Promise<StoreProcess> {
  const own = join(folder, name);
  const portArgs = getPortSettings(port, tls).flatMap(([key, value]) => [`--${key}`, value]);
  const args = [...portArgs, "--dir", own, ...COMMON, ...PROTECTED, ...PRIMARY_LOGIN, ...more];
  return createStoreProcess({ name, command: findBinary("redis-server"), args, port, folder: own });
}

type Login = { readonly username: string; readonly password: string };
const LOGIN: Login = { username: USER, password: PASSWORD };
const SENTINEL_LOGIN: Login = { username: SENTINEL_USER, password: SENTINEL_PASSWORD };
type Target = { readonly server: StoreProcess; readonly tls: RedisTls | undefined; readonly login?: Login };

async function send({ server, tls, login = LOGIN }: Target, ...command: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis(server.port, "127.0.0.1", {
    ...login,
    ...(tls ? { tls: { ca: readFileSync(tls.certFile) } } : {}),
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
  });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    return await redis.call(...command);
  } finally {
    redis.disconnect();
  }
}

const getScheme = (tls?: RedisTls): string => (tls ? "rediss" : "redis");

/** One Redis server with a user and password. */
export async function startRedisServer(folder: string, tls?: RedisTls) {
  const server = await createServer({ name: "redis", port: (await freePorts(1))[0] ?? 0, folder, tls });
  await server.start();
  return { url: `${getScheme(tls)}://${USER}:${PASSWORD}@${server.address}`, stop: () => server.kill() };
}
const isPrimary = async (server: StoreProcess, tls?: RedisTls): Promise<boolean> =>
  String(await send({ server, tls }, "INFO", "replication").catch(() => "")).includes("role:master");

function createSentinel(spec: ServerSpec & { readonly primaryPort: number }): StoreProcess {
  const { name, port, folder, tls, primaryPort } = spec;
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const lines = [
    ...getPortSettings(port, tls).map(([key, value]) => `${key} ${value}`),
    "bind 127.0.0.1",
    `dir ${own}`,
    "user default off",
    `user ${SENTINEL_USER} on >${SENTINEL_PASSWORD} ~* &* +@all`,
    `sentinel sentinel-user ${SENTINEL_USER}`,
    `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} 2`,
    `sentinel auth-user ${PRIMARY_NAME} ${USER}`,
    `sentinel auth-pass ${PRIMARY_NAME} ${PASSWORD}`,
    `sentinel down-after-milliseconds ${PRIMARY_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${PRIMARY_NAME} 10000`,
  ];
  writeFileSync(join(own, "sentinel.conf"), `${lines.join("\n")}\n`);
  const args = [join(own, "sentinel.conf"), "--sentinel"];
  return createStoreProcess({ name, command: findBinary("redis-server"), args, port, folder: own });
}

/** Redis with two replicas under three sentinels, with users and passwords for both. */
export async function startSentinels(folder: string, tls?: RedisTls) {
  const ports = await freePorts(6);
  const [primaryPort = 0] = ports;
  const servers = await Promise.all(
    ports.slice(0, 3).map((port, index) => {
      const more = index === 0 ? [] : ["--replicaof", "127.0.0.1", String(primaryPort)];
      return createServer({ name: `redis-${index}`, port, folder, tls, more });
    }),
  );
  const sentinels = ports
    .slice(3)
    .map((port, index) => createSentinel({ name: `sentinel-${index}`, port, folder, tls, primaryPort }));
  for (const server of servers) await server.start();
  for (const sentinel of sentinels) await sentinel.start();
  for (const sentinel of sentinels)
    await until(`${sentinel.name} knows the others`, async () => {
      const target = { server: sentinel, tls, login: SENTINEL_LOGIN };
      const others = (await send(target, "SENTINEL", "SENTINELS", PRIMARY_NAME)) as unknown[];
      const replicas = (await send(target, "SENTINEL", "REPLICAS", PRIMARY_NAME)) as unknown[];
      return others.length === 2 && replicas.length === 2;
    });
  const query = `sentinel_username=${SENTINEL_USER}&sentinel_password=${SENTINEL_PASSWORD}`;
  const hosts = sentinels.map(({ address }) => address).join(",");
  return {
    url: `${getScheme(tls)}+sentinel://${USER}:${PASSWORD}@${hosts}/${PRIMARY_NAME}?${query}`,
    servers,
    /** The primary among the servers that respond. */
    async findPrimary(): Promise<StoreProcess> {
      for (const server of servers) if (await isPrimary(server, tls)) return server;
      throw new Error("no Redis server is the primary");
    },
    stop: () => Promise.all([...sentinels, ...servers].map((server) => server.kill())),
  };
}

const CLUSTER_SETTINGS = {
  "cluster-enabled": "yes",
  "cluster-config-file": "nodes.conf",
  "cluster-node-timeout": "2000",
  "cluster-require-full-coverage": "no",
};

const PRIMARIES = 3;
const SLOTS = 16_384;

/** What `redis-cli --cluster create` does, with the commands of the server: servers from packages come without that program. */
async function formCluster(servers: readonly StoreProcess[], buses: readonly number[], tls?: RedisTls): Promise<void> {
  const sendTo = (server: StoreProcess, ...command: readonly [string, ...string[]]) =>
    send({ server, tls }, ...command);
  const untilAll = (what: string, line: string) =>
    Promise.all(
      servers.map((server) =>
        until(`${server.name} ${what}`, async () => String(await sendTo(server, "CLUSTER", "INFO")).includes(line)),
      ),
    );
  const getFirstSlot = (index: number): number => Math.ceil((index * SLOTS) / PRIMARIES);
  for (const [index, server] of servers.entries()) {
    await sendTo(server, "CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
    if (index >= PRIMARIES) continue;
    const range = [getFirstSlot(index), getFirstSlot(index + 1) - 1].map(String);
    await sendTo(server, "CLUSTER", "ADDSLOTSRANGE", ...range);
  }
  const [first] = servers as [StoreProcess];
  for (const [index, { port }] of servers.entries())
    if (index > 0) await sendTo(first, "CLUSTER", "MEET", "127.0.0.1", String(port), String(buses[index]));
  await untilAll("sees the other nodes", `cluster_known_nodes:${servers.length}`);
  for (const [index, replica] of servers.slice(PRIMARIES).entries()) {
    const id = String(await sendTo(servers[index] as StoreProcess, "CLUSTER", "MYID"));
    await until(`${replica.name} replicates`, async () => (await sendTo(replica, "CLUSTER", "REPLICATE", id)) === "OK");
  }
  await untilAll("sees the whole cluster", "cluster_state:ok");
}

/** A Redis cluster of three primaries with a replica each, with a user and password. */
export async function startCluster(folder: string, tls?: RedisTls) {
  const settings = Object.entries(CLUSTER_SETTINGS).flatMap(([key, value]) => [`--${key}`, value]);
  const more = tls ? [...settings, "--tls-cluster", "yes"] : settings;
  const ports = await freePorts(12);
  // The bus of a node has a port of its own: the usual one, 10 000 above, is often taken by an outgoing connection.
  const buses = ports.slice(6);
  const servers = await Promise.all(
    ports.slice(0, 6).map((port, index) =>
      createServer({
        name: `node-${index}`,
        port,
        folder,
        tls,
        more: [...more, "--cluster-port", String(buses[index])],
      }),
    ),
  );
  await Promise.all(servers.map((server) => server.start()));
  const addresses = servers.map(({ address }) => address);
  await formCluster(servers, buses, tls);
  return {
    url: `${getScheme(tls)}+cluster://${USER}:${PASSWORD}@${addresses.join(",")}`,
    servers,
    /** The primary that holds a key. */
    async findPrimaryByKey(key: string): Promise<StoreProcess> {
      const [first] = servers as [StoreProcess];
      const slot = Number(await send({ server: first, tls }, "CLUSTER", "KEYSLOT", key));
      const slots = (await send({ server: first, tls }, "CLUSTER", "SLOTS")) as [number, number, [string, number]][];
      const port = slots.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1];
      const found = servers.find((server) => server.port === port);
      if (!found) throw new Error(`no node holds ${key}`);
      return found;
    },
    stop: () => Promise.all(servers.map((server) => server.kill())),
  };
}
