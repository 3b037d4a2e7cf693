import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import { measurePromotedBytes } from "@turnpike/shared/telemetry/heap-promotion";
import { testBacking } from "../../lib/backing/test-backing.ts";

const NAMESPACE = `script-${process.pid}`;
const ECHO = "return {KEYS[1], ARGV[1], ARGV[2]}";

let redis: Redis;
let other: Redis;
const connect = (commandTimeoutMs = 2_000): Redis =>
  connectRedis({
    url: testBacking().redisUrl,
    namespace: NAMESPACE,
    log: createLogger("test", "silent"),
    commandTimeoutMs,
  });
/** Connects; a connection that does not become ready fails the test with what happened to it. */
async function connectReady(commandTimeoutMs?: number): Promise<Redis> {
  const connection = connect(commandTimeoutMs);
  const events: string[] = [];
  for (const name of ["connect", "close", "reconnecting", "end"]) connection.on(name, () => events.push(name));
  connection.on("error", ({ message }: Error) => events.push(message));
  const isReady = await waitForRedis(connection, 5_000);
  expect(isReady, `${connection.status} after ${events.join(", ")}`).toBe(true);
  return connection;
}
beforeAll(async () => {
  [redis, other] = await Promise.all([connectReady(), connectReady()]);
});
afterAll(() => {
  redis.disconnect();
  other.disconnect();
});

it("runs a script with the namespace before its keys, from the first call on and concurrently", async () => {
  const echo = defineScript(redis, ECHO);
  const responses = await Promise.all([1, 2, 3].map((number) => echo(1, "key", number, "ü")));
  expect(responses).toEqual([1, 2, 3].map((number) => [`${NAMESPACE}:key`, String(number), "ü"]));
});

it("runs a script that Redis has evicted", async () => {
  const echo = defineScript(redis, `${ECHO} -- forgotten`);
  await echo(1, "key", 1, 2);
  await other.script("FLUSH");
  expect(await echo(1, "key", 3, 4)).toEqual([`${NAMESPACE}:key`, "3", "4"]);
});

it("rejects with Redis's error, and at once without a connection", async () => {
  const broken = defineScript(redis, "return redis.call('INCR', KEYS[1], 1)");
  await expect(broken(1, "key")).rejects.toThrow(/wrong number of arg/i);
  await expect(broken(1, "key")).rejects.toThrow(/wrong number of arg/i);
  const removed = connect();
  removed.disconnect();
  await expect(defineScript(removed, ECHO)(1, "key", 1, 2)).rejects.toThrow(/closed|writeable/i);
});

it("aborts a script after the connection's timeout", async () => {
  const impatient = await connectReady(20);
  // This Redis is shared: keep it busy for a moment only.
  const busy = `local from = redis.call('TIME')
    repeat local now = redis.call('TIME') until (now[1] - from[1]) * 1000000 + now[2] - from[2] > 100000`;
  await expect(defineScript(impatient, busy)(0)).rejects.toThrow("Command timed out");
  impatient.disconnect();
});

it("leaves no garbage of a command that only a full collection would free", async () => {
  // A full collection of this process stops its timers.
  const patient = await connectReady(30_000);
  const echo = defineScript(patient, ECHO);
  const run = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call++) await echo(1, "key", call, "x");
  };
  // A command of ioredis itself leaves some 900 bytes.
  expect((await measurePromotedBytes(() => run(5_000))) / 5_000).toBeLessThan(400);
  patient.disconnect();
});
