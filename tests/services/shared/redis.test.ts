import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect as connectTcp, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, isRedisConnected, type Redis, refuseEviction, waitForRedis } from "@turnpike/shared/redis/redis";
import { accountKey } from "@turnpike/shared/accounts/account-keys";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../scripts/process/ports.ts";
import { findBinary } from "../../lib/backing/store-binaries.ts";
import { createStoreProcess, type StoreProcess } from "../../lib/backing/store-process.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const connect = () => connectRedis({ url: testBacking().redisUrl, namespace: "", log: createLogger("test", "silent") });

it("detects at once that the connection was lost, and that it is restored", async () => {
  const [redis, other] = [connect(), connect()];
  try {
    await Promise.all([redis, other].map((connection) => waitForRedis(connection, 5_000)));
    expect(isRedisConnected(redis)).toBe(true);
    const ended = once(redis.stream, "end").then(() => isRedisConnected(redis));
    await other.client("KILL", "ID", await redis.client("ID"));
    expect(await ended).toBe(false);
    expect(await waitForRedis(redis, 5_000)).toBe(true);
    await expect.poll(() => isRedisConnected(redis)).toBe(true);
  } finally {
    redis.disconnect();
    other.disconnect();
  }
});

it("finds the keys of its own install, whatever the namespaces are called", async () => {
  const log = createLogger("test", "silent");
  const namespaces = ["", "acct", "prod-acct", "acct-acct"];
  const installs = namespaces.map((namespace) => connectRedis({ url: testBacking().redisUrl, namespace, log }));
  try {
    await Promise.all(installs.map((redis) => waitForRedis(redis, 5_000)));
    await Promise.all(installs.map((redis, index) => redis.hset(accountKey(9_000_000 + index), "credits", 1)));
    const found = await Promise.all(
      installs.map(async (redis) => {
        const keys: string[] = [];
        for await (const page of scanKeys(redis, "acct:*")) keys.push(...page);
        return keys.filter((key) => /^acct:\{900000\d\}$/.test(key));
      }),
    );
    expect(found).toEqual(installs.map((_, index) => [accountKey(9_000_000 + index)]));
  } finally {
    for (const [index, redis] of installs.entries()) {
      await redis.del(accountKey(9_000_000 + index));
      redis.disconnect();
    }
  }
});

describe("a failover behind one address", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-failover-"));
  const log = createLogger("test", "silent");
  const servers: StoreProcess[] = [];
  /** What the address leads to; open connections stay as they are. */
  let port = 0;
  const address = createServer((near) => {
    const far = connectTcp(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
  });
  beforeAll(async () => {
    for (const name of ["one", "other"]) {
      const own = await freePort();
      const args = ["--port", String(own), "--bind", "127.0.0.1", "--save", "", "--dbfilename", `${name}.rdb`];
      const server = createStoreProcess({ name, command: findBinary("redis-server"), args, port: own, folder });
      await server.start();
      servers.push(server);
    }
    address.listen(0, "127.0.0.1");
    await once(address, "listening");
  });
  afterAll(async () => {
    address.close();
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const getPort = (server: StoreProcess | undefined): number => Number(server?.address.split(":").at(-1));

  it("is left by a connection that the old primary refuses as a replica, also for scripts", async () => {
    const [one, other] = servers;
    port = getPort(one);
    const place = (address.address() as AddressInfo).port;
    const redis = connectRedis({ url: `redis://127.0.0.1:${place}`, namespace: "", log });
    await withConnection(redis, async () => {
      const add = () => redis.eval("return redis.call('INCR', KEYS[1])", 1, "count");
      expect(await add()).toBe(1);
      const owner = connectRedis({ url: `redis://${one?.address ?? ""}`, namespace: "", log });
      await withConnection(owner, () => owner.replicaof("127.0.0.1", getPort(other)));
      port = getPort(other);
      await expect(add()).rejects.toThrow("READONLY");
      await expect.poll(() => add().catch((error: Error) => error.message), { timeout: 10_000 }).toBe(1);
    });
  });
});

describe("an eviction policy", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-eviction-"));
  const log = createLogger("test", "silent");
  let server: StoreProcess;
  beforeAll(async () => {
    const port = await freePort();
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--maxmemory", "100mb"];
    server = createStoreProcess({ name: "redis", command: findBinary("redis-server"), args, port, folder });
    await server.start();
  });
  afterAll(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const owner = () => connectRedis({ url: `redis://${server.address}`, namespace: "", log });
  /** A service's connection, as a managed server grants it. */
  const connectAs = (rule: string, rules: string): Promise<Redis> =>
    withConnection(owner(), async (redis) => {
      await redis.call("ACL", "SETUSER", rule, "on", ">secret", "~*", "&*", ...rules.split(" "));
      return connectRedis({ url: `redis://${rule}:secret@${server.address}`, namespace: "", log });
    });
  const setPolicy = (policy: string): Promise<void> =>
    withConnection(owner(), async (redis) => void (await redis.config("SET", "maxmemory-policy", policy)));

  it.each(["noeviction", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"])(
    "is accepted where it keeps keys without an expiry: %s",
    async (policy) => {
      await setPolicy(policy);
      await withConnection(owner(), (redis) => refuseEviction(redis, { log, waitMs: 5_000 }));
    },
  );

  it.each(["allkeys-lru", "allkeys-lfu", "allkeys-random"])(
    "is refused where it drops balances: %s",
    async (policy) => {
      await setPolicy(policy);
      const refused = withConnection(owner(), (redis) => refuseEviction(redis, { log, waitMs: 5_000 }));
      await expect(refused).rejects.toThrow(`${policy}, under which balances can be dropped: set it to noeviction`);
    },
  );

  it("is known where CONFIG is forbidden, and does not stop a service where INFO is forbidden, too", async () => {
    await setPolicy("allkeys-lru");
    const managed = await connectAs("managed", "+@all -config");
    await expect(withConnection(managed, (redis) => refuseEviction(redis, { log, waitMs: 5_000 }))).rejects.toThrow(
      "allkeys-lru",
    );
    const closed = await connectAs("closed", "+@all -config -info +ping");
    await withConnection(closed, (redis) => refuseEviction(redis, { log, waitMs: 5_000 }));
  });

  it("is logged when the server that is there later has an unsafe one", async () => {
    await setPolicy("noeviction");
    const errors: string[] = [];
    const own = { warn: () => undefined, info: () => undefined, error: (text: string) => void errors.push(text) };
    await withConnection(owner(), async (redis) => {
      await refuseEviction(redis, { log: own as never, waitMs: 5_000 });
      await setPolicy("allkeys-lru");
      redis.disconnect(true);
      await expect.poll(() => errors.join(), { timeout: 10_000 }).toContain("allkeys-lru");
    });
  });
});

async function withConnection<Result>(redis: Redis, run: (redis: Redis) => Promise<Result>): Promise<Result> {
  try {
    await waitForRedis(redis, 5_000);
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}
