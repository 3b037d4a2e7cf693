import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from "testcontainers";
import { makePrimary } from "../../../scripts/backing/mongodb-replica-set.ts";

const STARTS_WITHIN_MS = 60_000;
const REMOVED_WITHIN_MS = 15_000;

/** The three containers: image, command, port, and the log line of a server that accepts connections. */
const CONTAINERS = {
  mongodb: {
    image: "mongo:8",
    command: ["--replSet", "rs0", "--bind_ip_all", "--oplogSize", "512", "--wiredTigerCacheSizeGB", "1", "--quiet"],
    port: 27017,
    readyLine: /Waiting for connections/,
  },
  redis: {
    image: "redis:7-alpine",
    command: ["redis-server", "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"],
    port: 6379,
    readyLine: /Ready to accept connections/,
  },
  nats: { image: "nats:2-alpine", command: ["-js"], port: 4222, readyLine: /Server is ready/ },
} as const;

type ContainerSpec = (typeof CONTAINERS)[keyof typeof CONTAINERS];

export type ContainerBacking = Awaited<ReturnType<typeof startContainerBacking>>;

/** Names the engine that testcontainers finds: DOCKER_HOST, its own properties file, or one of the usual sockets. */
export async function findEngine(): Promise<string> {
  const { info } = await getContainerRuntimeClient();
  return `engine ${info.containerRuntime.serverVersion} at ${info.containerRuntime.host}`;
}

const start = ({ image, command, port, readyLine }: ContainerSpec): Promise<StartedTestContainer> =>
  new GenericContainer(image)
    .withCommand([...command])
    .withExposedPorts(port)
    // Does not check the port: that check runs a shell in the container, which an image may lack.
    .withWaitStrategy(Wait.forLogMessage(readyLine))
    .withStartupTimeout(STARTS_WITHIN_MS)
    .start();

/** Starts all containers concurrently; if one does not start, stops the others. */
async function startAll(): Promise<Record<keyof typeof CONTAINERS, StartedTestContainer>> {
  const results = await Promise.allSettled([
    start(CONTAINERS.mongodb),
    start(CONTAINERS.redis),
    start(CONTAINERS.nats),
  ]);
  const started = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const [mongodb, redis, nats] = started;
  if (mongodb && redis && nats) return { mongodb, redis, nats };
  await Promise.all(started.map((container) => container.stop()));
  throw results.find((result) => result.status === "rejected")?.reason;
}

/** Starts a MongoDB replica set, Redis and NATS with JetStream in containers, on ports that the engine chooses. */
export async function startContainerBacking() {
  const containers = await startAll();
  const all = Object.values(containers);
  // An interrupted run calls no teardown, and its exit handlers cannot wait.
  const removeAll = (): void => {
    const ids = all.map((container) => container.getId());
    spawnSync(process.execPath, [join(import.meta.dirname, "remove-containers.ts"), ...ids], {
      stdio: "ignore",
      timeout: REMOVED_WITHIN_MS,
    });
  };
  process.once("exit", removeAll);
  const dispose = async (): Promise<void> => {
    process.off("exit", removeAll);
    await Promise.all(all.map((container) => container.stop()));
  };
  const toAddress = (name: keyof typeof CONTAINERS): string =>
    `${containers[name].getHost()}:${containers[name].getMappedPort(CONTAINERS[name].port)}`;
  try {
    const { mongodb } = containers;
    // The member has the address at which it reaches itself: the address that tests use does not exist inside the
    // container.
    const member = `localhost:${CONTAINERS.mongodb.port}`;
    await makePrimary(mongodb.getHost(), mongodb.getMappedPort(CONTAINERS.mongodb.port), member);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    mongodbUrl: `mongodb://${toAddress("mongodb")}/turnpike?directConnection=true`,
    redisUrl: `redis://${toAddress("redis")}`,
    natsUrl: `nats://${toAddress("nats")}`,
    /** Stops and removes the containers. */
    dispose,
  };
}
