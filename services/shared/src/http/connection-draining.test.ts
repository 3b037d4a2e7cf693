import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createConnectionDrain } from "./connection-draining.ts";

const TIMES = { acceptMs: 40, idleMs: 300 };
const agents: Agent[] = [];
afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()));

/** A server that responds at once, except for /stream, which a test ends. */
async function serve() {
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url !== "/stream") return void response.end("ok");
    response.write("begun");
    streams.push(response);
  });
  server.keepAliveTimeout = 65_000;
  const connectionDrain = createConnectionDrain(server, TIMES);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  const request = (path = "/"): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port, path, agent }, resolve).once("error", reject);
    });
  return { connectionDrain, request, streams };
}

it("makes clients with keep-alive connections disconnect, and stops when they have", async () => {
  const { connectionDrain, request } = await serve();
  const first = await request();
  expect(first.headers.connection).toBe("keep-alive");
  await once(first.resume(), "close");
  const drained = connectionDrain.begin(30);
  const second = await request();
  expect(second.headers.connection).toBe("close");
  await once(second.resume(), "close");
  await drained;
  await connectionDrain.waitUntilClosed();
});

it("keeps the connection of a stream that began before the stop open for one more call", async () => {
  const { connectionDrain, request, streams } = await serve();
  const stream = await request("/stream");
  await connectionDrain.begin(30);
  let busy = true;
  const closed = connectionDrain.waitUntilClosed(() => busy);
  streams[0]?.end();
  await once(stream.resume(), "close");
  busy = false;
  const next = await request();
  expect(next.headers.connection).toBe("close");
  next.resume();
  await closed;
});

it("does not wait for unused connections", async () => {
  const { connectionDrain, request } = await serve();
  await once((await request()).resume(), "close");
  const startedAtMs = Date.now();
  await connectionDrain.begin(30);
  await connectionDrain.waitUntilClosed();
  expect(Date.now() - startedAtMs).toBeLessThan(2_500);
});

it("closes idle connections at once for a short grace period", async () => {
  const { connectionDrain, request } = await serve();
  await once((await request()).resume(), "close");
  const startedAtMs = Date.now();
  await connectionDrain.begin(10);
  await connectionDrain.waitUntilClosed();
  expect(Date.now() - startedAtMs).toBeLessThan(TIMES.idleMs);
});
