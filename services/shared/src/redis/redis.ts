import { Cluster, Redis } from "ioredis";
import type { Logger } from "../log/log.ts";
import { watchFailovers } from "./failover-watch.ts";
import { readRedisUrl, type RedisTarget } from "./redis-url.ts";
import { observeRedis } from "../telemetry/backing-metrics.ts";

export type { Redis };

/** After a failover an open connection may lead to the old primary, which is a replica now and refuses every write. */
const leadsToReplica = ({ message }: Error): boolean => message.includes("READONLY");

const CONNECT_TIMEOUT_MS = 2_000;
/** A server that hangs, or whose machine vanished, never confirms the end of a connection. */
const DISCONNECT_TIMEOUT_MS = 300;
/** How long a connection may be silent after a command has timed out, before another one takes its place. */
const SILENCE_AFTER_TIMEOUT_MS = 2_000;
const retryStrategy = (attempt: number): number => Math.min(attempt * 50, 1_000);
const RETRIES_OF_REDIRECTED = 5;
const REDIRECT_RETRY_MS = 100;
/** A failover moves slots to another node. */
const SLOTS_REFRESH_MS = 2_000;

type Options = {
  url: string;
  namespace: string;
  log: Logger;
  commandTimeoutMs?: number;
};

/** Every step has a deadline, and nothing waits for a server that is down. */
const toCommon = ({ commandTimeoutMs = 1_000, namespace }: Options) => ({
  keyPrefix: namespace === "" ? "" : `${namespace}:`,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  commandTimeout: commandTimeoutMs,
  // A machine that vanished closes nothing: TCP alone gives up after a quarter of an hour.
  socketTimeout: commandTimeoutMs + SILENCE_AFTER_TIMEOUT_MS,
  reconnectOnError: leadsToReplica,
});
type Common = ReturnType<typeof toCommon>;

function connectSentinel(target: RedisTarget & { kind: "sentinel" }, common: Common): Redis {
  const { sentinels, name, database, login, sentinelLogin, isTls } = target;
  const redis = new Redis({
    ...common,
    ...login,
    sentinels: [...sentinels],
    name,
    db: database,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
    ...(sentinelLogin.username === undefined ? {} : { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password === undefined ? {} : { sentinelPassword: sentinelLogin.password }),
    ...(isTls ? { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  });
  const { connectTimeout, disconnectTimeout } = common;
  const watch = { ...sentinelLogin, ...(isTls ? { tls: {} } : {}), retryStrategy, connectTimeout, disconnectTimeout };
  watchFailovers(
    redis,
    name,
    sentinels.map((address) => ({ ...address, ...watch })),
  );
  return redis;
}

/** A cluster has the same commands; what differs is in this file and in `scan.ts`. */
function connectCluster(target: RedisTarget & { kind: "cluster" }, { keyPrefix, ...common }: Common): Redis {
  const { nodes, login, isTls } = target;
  const cluster = new Cluster([...nodes], {
    keyPrefix,
    enableOfflineQueue: false,
    redisOptions: { ...common, ...login, ...(isTls ? { tls: {} } : {}) },
    // With TLS the name in the certificate is needed, not the address that the name leads to.
    ...(isTls ? { dnsLookup: (address, callback) => callback(null, address) } : {}),
    clusterRetryStrategy: retryStrategy,
    maxRedirections: RETRIES_OF_REDIRECTED,
    retryDelayOnFailover: REDIRECT_RETRY_MS,
    retryDelayOnClusterDown: REDIRECT_RETRY_MS,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
  });
  return cluster as unknown as Redis;
}

function connect(options: Options): Redis {
  const target = readRedisUrl(options.url);
  const common = toCommon(options);
  if (target.kind === "sentinel") return connectSentinel(target, common);
  if (target.kind === "cluster") return connectCluster(target, common);
  return new Redis(target.url, { ...common, retryStrategy });
}

/** The servers that hold keys: the primaries of a cluster, or the one server. */
export const getPrimaries = (redis: Redis): readonly Redis[] =>
  redis instanceof Cluster ? (redis as Cluster).nodes("master") : [redis];

/**
 * Connects so that a stopped Redis fails commands at once (no offline queue, bounded waits) and reconnects
 * automatically, through failovers of sentinels and clusters. Keys get the namespace as prefix. `redis-url.ts` describes
 * the URLs.
 */
export function connectRedis(options: Options): Redis {
  const redis = connect(options);
  let down = false;
  redis.on("error", (error: Error) => {
    // Logs once per outage, not once per attempt.
    if (!down) options.log.warn({ err: error }, "Redis unavailable");
    down = true;
  });
  redis.on("ready", () => {
    if (down) options.log.info("Redis recovered");
    down = false;
  });
  observeRedis(redis);
  return redis;
}

/**
 * Whether commands reach Redis. `status` alone stays true for one more event-loop tick after the connection has ended,
 * in which concurrent calls would still try to use Redis.
 */
export function isRedisConnected({ status, stream }: Redis): boolean {
  // A cluster has a connection for each node.
  const connection = stream as Redis["stream"] | undefined;
  return status === "ready" && (connection === undefined || (!connection.readableEnded && !connection.destroyed));
}

/** What is wrong with the servers' eviction policy; undefined if it is safe, or if a server does not report it. */
async function findEvictionProblem(redis: Redis): Promise<string | undefined> {
  // INFO and not CONFIG GET, which managed servers refuse.
  const infos = await Promise.all(getPrimaries(redis).map((primary) => primary.info("memory")));
  const policies = infos.map((info) => /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? "");
  const policy = policies.find((name) => name.startsWith("allkeys"));
  return policy === undefined
    ? undefined
    : `Redis has maxmemory-policy ${policy}, under which balances can be dropped: set it to noeviction, or to volatile-lru`;
}

/**
 * Throws if the server may drop any key when its memory is full: balances and holds have no expiry, and a dropped one
 * would be rebuilt without the calls that are running. The policies volatile-* drop keys with an expiry only. A server that is
 * not there within `waitMs`, and each later one (after a restart or a failover), is checked when it is connected, and an
 * unsafe policy is logged.
 */
export async function refuseEviction(redis: Redis, { log, waitMs }: { log: Logger; waitMs: number }): Promise<void> {
  const find = (): Promise<string | undefined> =>
    findEvictionProblem(redis).catch((error: unknown) => {
      log.warn({ err: error }, "eviction policy of Redis could not be read");
      return undefined;
    });
  const problem = (await waitForRedis(redis, waitMs)) ? await find() : undefined;
  if (problem !== undefined) throw new Error(problem);
  redis.on("ready", () => void find().then((found) => found !== undefined && log.error(found)));
}

/** Waits for the connection, at most the given time; returns whether it is open. */
export async function waitForRedis(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === "ready") return true;
  return new Promise((resolve) => {
    const onReady = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      redis.off("ready", onReady);
      resolve(false);
    }, timeoutMs);
    redis.once("ready", onReady);
  });
}
