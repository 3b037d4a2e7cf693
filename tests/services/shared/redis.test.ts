import { once } from "node:events";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, isRedisConnected, waitForRedis } from "@turnpike/shared/redis/redis";
import { expect, it } from "vitest";
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
