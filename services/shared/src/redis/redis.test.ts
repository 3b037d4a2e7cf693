import type { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { connectRedis, refuseEviction, waitForRedis } from "./redis.ts";
import { defineScript } from "./script.ts";
import { bulk, startScriptedRedis } from "./scripted-redis.ts";

const log = createLogger("test", "silent");
const at = { log, waitMs: 3_000 };
const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

/** A connection whose server vanishes at the first script without closing it. */
const SILENCE = "silence";

/** A server of one connection after the other, each with a response to scripts and to INFO. */
async function startServer(scripts: readonly string[], info = "role:master") {
  const respond = (command: string, socket: Socket, connection: number): string | undefined => {
    if (/^info/i.test(command)) return bulk(info);
    if (!/^eval/i.test(command)) return "+OK\r\n";
    const script = scripts[Math.min(connection, scripts.length - 1)] ?? "";
    if (script !== SILENCE) return `${script}\r\n`;
    socket.removeAllListeners("data").pause();
    return undefined;
  };
  const { port, countConnections, stop } = await startScriptedRedis(respond, { allowHalfOpen: true });
  const redis = connectRedis({ url: `redis://127.0.0.1:${port}`, namespace: "", log });
  ended.push(() => {
    redis.disconnect();
    stop();
  });
  await waitForRedis(redis, 5_000);
  return { redis, countConnections };
}

it("connects again if the server has become a replica, which refuses every write", async () => {
  const refused = "-READONLY You can't write against a read only replica. script: 1, on @user_script:1.";
  const { redis, countConnections } = await startServer([refused, ":1"]);
  const run = defineScript(redis, "return 1");
  await expect(run(0)).rejects.toThrow("READONLY");
  await expect.poll(countConnections, { timeout: 5_000 }).toBe(2);
  expect(await waitForRedis(redis, 5_000)).toBe(true);
  await expect.poll(() => run(0).catch(() => undefined)).toBe(1);
});

it("replaces a connection whose server vanished without closing it", async () => {
  const { redis, countConnections } = await startServer([SILENCE, ":1"]);
  const run = defineScript(redis, "return 1");
  await expect(run(0)).rejects.toThrow("Command timed out");
  await expect.poll(countConnections, { timeout: 10_000 }).toBe(2);
  await expect.poll(() => run(0).catch(() => undefined), { timeout: 5_000 }).toBe(1);
}, 20_000);

it("ends a connection within a second although its server does not end it", async () => {
  const { redis } = await startServer([SILENCE]);
  await defineScript(redis, "return 1")(0).catch(() => undefined);
  const isClosed = new Promise((resolve) => redis.once("close", resolve));
  redis.disconnect();
  // After a stall of this process both timers are due: the earlier one comes first, and needs a turn to be seen.
  const isLate = sleep(1_000).then(() => setImmediate("still open"));
  await expect(Promise.race([isClosed, isLate])).resolves.not.toBe("still open");
});

it("refuses a server that may drop balances for lack of memory", async () => {
  const evicting = await startServer([":1"], "maxmemory_policy:allkeys-lru");
  await expect(refuseEviction(evicting.redis, at)).rejects.toThrow("maxmemory-policy allkeys-lru");
  const keeping = await startServer([":1"], "maxmemory_policy:volatile-lru");
  await refuseEviction(keeping.redis, at);
});

it("starts although a server does not report its policy", async () => {
  const silent = await startServer([":1"], "used_memory:1");
  await refuseEviction(silent.redis, at);
});
