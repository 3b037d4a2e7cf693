import type { Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../log/log.ts";
import { connectRedis, waitForRedis } from "./redis.ts";
import { bulk, list, push, startScriptedRedis } from "./scripted-redis.ts";

const log = createLogger("test", "silent");
const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

async function startServer(respond: (command: string, socket: Socket) => string) {
  const { port, countConnections, stop } = await startScriptedRedis(respond);
  ended.push(stop);
  return { port: String(port), countConnections };
}

const startPrimary = () => startServer((command) => (/^info/i.test(command) ? bulk("role:master") : "+OK\r\n"));

/** Two primaries, a sentinel that names one of them, and a connection by it. */
async function startSite() {
  const primaries = [await startPrimary(), await startPrimary()] as const;
  let named: string = primaries[0].port;
  const subscribers = new Set<Socket>();
  const sentinel = await startServer((command, socket) => {
    if (/get-master-addr-by-name/i.test(command)) return list("127.0.0.1", named);
    if (/^sentinel/i.test(command)) return "*0\r\n";
    if (!/^subscribe/i.test(command)) return "+OK\r\n";
    subscribers.add(socket);
    return `>3\r\n${bulk("subscribe")}${bulk("+switch-master")}:1\r\n`;
  });
  const redis = connectRedis({ url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`, namespace: "", log });
  ended.push(() => redis.disconnect());
  await waitForRedis(redis, 5_000);
  await expect.poll(() => subscribers.size).toBe(1);
  const announce = (name: string, from: string, to: string): void => {
    const text = `${name} 127.0.0.1 ${from} 127.0.0.1 ${to}`;
    for (const subscriber of subscribers) subscriber.write(push("message", "+switch-master", text));
  };
  return { redis, primaries, subscribers, announce, setPrimary: (port: string) => (named = port) };
}

it("connects to the primary that a sentinel announces, and ignores other names", async () => {
  const { redis, primaries, announce, setPrimary } = await startSite();
  const [old, next] = primaries;
  announce("other", old.port, next.port);
  await redis.ping();
  expect([old.countConnections(), next.countConnections()]).toEqual([1, 0]);
  setPrimary(next.port);
  announce("main", old.port, next.port);
  await expect.poll(() => next.countConnections(), { timeout: 5_000 }).toBe(1);
  expect(await waitForRedis(redis, 5_000)).toBe(true);
});

it("keeps a connection to the new primary when a sentinel announces it late", async () => {
  const { redis, primaries, announce } = await startSite();
  const [current, old] = primaries;
  announce("main", old.port, current.port);
  for (let command = 0; command < 5; command++) expect(await redis.ping()).toBe("OK");
  expect([current.countConnections(), old.countConnections()]).toEqual([1, 0]);
});

it("ends its subscriptions with the connection", async () => {
  const { redis, subscribers } = await startSite();
  redis.disconnect();
  await expect.poll(() => [...subscribers].every(({ destroyed }) => destroyed), { timeout: 5_000 }).toBe(true);
});
