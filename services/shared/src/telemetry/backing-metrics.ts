import type { NatsConnection } from "@nats-io/transport-node";
import type { Redis } from "ioredis";
import type { Connection } from "mongoose";
import { createBackgroundLoop } from "../concurrency/background-loop.ts";
import { createCounter, createHistogram, registerGauge } from "./metric-series.ts";

const SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const PROBE_MS = 10_000;

const mongoSeconds = createHistogram({
  name: "turnpike_mongodb_command_seconds",
  help: "Duration of MongoDB commands in seconds",
  labelNames: ["command", "outcome"],
  buckets: SECONDS,
});
const mongoPool = { inUse: 0, waiting: 0 };
registerGauge(
  {
    name: "turnpike_mongodb_connections",
    help: "MongoDB connections in use, and operations that wait for one",
    labelNames: ["state"],
  },
  () => [
    ["in_use", mongoPool.inUse],
    ["waiting", mongoPool.waiting],
  ],
);

/** Commands that services send; all other commands of the driver are counted as "other". */
const COMMANDS = new Set(
  "find aggregate insert update delete findAndModify getMore commitTransaction abortTransaction count distinct createIndexes bulkWrite".split(
    " ",
  ),
);

/** Tracks MongoDB connections, and whether a server accepts writes. */
const mongos = new Map<Connection, boolean>();
/**
 * Tracked per server, not per topology: a single server and a sharded cluster keep their topology type when they are
 * down.
 */
const TAKES_WRITES = new Set(["RSPrimary", "Standalone", "Mongos", "LoadBalancer"]);
registerGauge(
  { name: "turnpike_mongodb_up", help: "1 while MongoDB is available and accepts writes", labelNames: [] },
  () => (mongos.size === 0 ? [] : [[[...mongos.values()].every(Boolean) ? 1 : 0]]),
);

/** Measures the commands and the pool of a MongoDB connection, which must be opened with `monitorCommands`. */
export function observeMongo(connection: Connection): void {
  const client = connection.getClient();
  const seconds = (command: string, outcome: string, ms: number): void =>
    mongoSeconds.of(COMMANDS.has(command) ? command : "other", outcome).observe(ms / 1000);
  // A command that could not be sent does not count as failed.
  mongos.set(connection, true);
  client.on("topologyDescriptionChanged", ({ newDescription }) => {
    const servers = [...newDescription.servers.values()];
    if (mongos.has(connection))
      mongos.set(
        connection,
        servers.some(({ type }) => TAKES_WRITES.has(type)),
      );
  });
  connection.on("close", () => mongos.delete(connection));
  client.on("commandSucceeded", ({ commandName, duration }) => seconds(commandName, "ok", duration));
  client.on("commandFailed", ({ commandName, duration }) => seconds(commandName, "error", duration));
  client.on("connectionCheckOutStarted", () => mongoPool.waiting++);
  client.on("connectionCheckOutFailed", () => mongoPool.waiting--);
  client.on("connectionCheckedOut", () => {
    mongoPool.waiting--;
    mongoPool.inUse++;
  });
  client.on("connectionCheckedIn", () => mongoPool.inUse--);
}

const redises = new Set<Redis>();
const redisLost = createCounter({
  name: "turnpike_redis_connections_lost_total",
  help: "Number of lost connections to Redis",
  labelNames: [],
});
const roundTrip = createHistogram({
  name: "turnpike_backing_probe_seconds",
  help: "Round-trip time to a backing service in seconds, probed every ten seconds",
  labelNames: ["service"],
  buckets: SECONDS,
});
const probeFailures = createCounter({
  name: "turnpike_backing_probe_failures_total",
  help: "Failed probes of backing services",
  labelNames: ["service"],
});
registerGauge({ name: "turnpike_redis_up", help: "1 while every connection to Redis is up", labelNames: [] }, () =>
  redises.size === 0 ? [] : [[[...redises].every(({ status }) => status === "ready") ? 1 : 0]],
);

/** Probes the round-trip time every ten seconds; returns a function that stops the probe. */
function probe(service: string, ping: () => Promise<unknown>): () => void {
  const run = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await ping();
      roundTrip.of(service).observe((performance.now() - startedAt) / 1000);
    } catch {
      probeFailures.of(service).value++;
    }
  };
  const loop = createBackgroundLoop({ task: `${service} probe`, run, everyMs: PROBE_MS, firstMs: PROBE_MS });
  loop.start();
  return () => void loop.stop();
}

/** Measures a connection to Redis: whether it is open, how often it was lost, its round-trip time. */
export function observeRedis(redis: Redis): void {
  redises.add(redis);
  const stop = probe("redis", () => redis.ping());
  redis.on("close", () => redisLost.of().value++);
  redis.on("end", () => {
    redises.delete(redis);
    stop();
  });
}

const connections = new Set<NatsConnection>();
const natsLost = createCounter({
  name: "turnpike_nats_connections_lost_total",
  help: "Number of lost connections to NATS",
  labelNames: [],
});
let natsDown = 0;
registerGauge({ name: "turnpike_nats_up", help: "1 while every connection to NATS is up", labelNames: [] }, () =>
  connections.size === 0 ? [] : [[natsDown === 0 ? 1 : 0]],
);
registerGauge(
  {
    name: "turnpike_nats_messages",
    help: "Messages over the NATS connection since start",
    labelNames: ["direction"],
  },
  () => {
    const stats = [...connections].map((connection) => connection.stats());
    return [
      ["in", stats.reduce((sum, { inMsgs }) => sum + inMsgs, 0)],
      ["out", stats.reduce((sum, { outMsgs }) => sum + outMsgs, 0)],
    ];
  },
);

/** Measures a connection to NATS; the caller reports status changes through `lost` and `back`. */
export function observeNats(connection: NatsConnection): { readonly lost: () => void; readonly back: () => void } {
  connections.add(connection);
  let isDown = false;
  const set = (down: boolean): void => {
    if (down === isDown) return;
    isDown = down;
    natsDown += down ? 1 : -1;
  };
  const stop = probe("nats", () => connection.rtt());
  void connection.closed().then(() => {
    stop();
    set(false);
    connections.delete(connection);
  });
  return {
    lost() {
      natsLost.of().value++;
      set(true);
    },
    back: () => set(false),
  };
}
