import { createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { connectRedis, refuseEviction, waitForRedis } from "./redis.ts";
import { defineScript } from "./script.ts";

const log = createLogger("test", "silent");
const at = { log, waitMs: 3_000 };
const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

/** A server of one connection after the other, each with a response to scripts and to INFO. */
async function startServer(scripts: readonly string[], info = "role:master") {
  let connections = 0;
  const serve = (socket: Socket): void => {
    const script = scripts[Math.min(connections++, scripts.length - 1)] ?? "";
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      for (const [, , name] of data.toString().matchAll(/\*\d+\r\n\$(\d+)\r\n(\w+)/g)) {
        const isInfo = name?.toLowerCase() === "info";
        const isScript = name?.toLowerCase().startsWith("eval") === true;
        socket.write(isInfo ? `$${info.length}\r\n${info}\r\n` : isScript ? `${script}\r\n` : "+OK\r\n");
      }
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const redis = connectRedis({ url: `redis://127.0.0.1:${port}`, namespace: "", log });
  ended.push(() => {
    redis.disconnect();
    server.close();
  });
  await waitForRedis(redis, 5_000);
  return { redis, connections: () => connections };
}

it("connects again if the server has become a replica, which refuses every write", async () => {
  const refused = "-READONLY You can't write against a read only replica. script: 1, on @user_script:1.";
  const { redis, connections } = await startServer([refused, ":1"]);
  const run = defineScript(redis, "return 1");
  await expect(run(0)).rejects.toThrow("READONLY");
  await expect.poll(() => connections(), { timeout: 5_000 }).toBe(2);
  expect(await waitForRedis(redis, 5_000)).toBe(true);
  await expect.poll(() => run(0).catch(() => undefined)).toBe(1);
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
