import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createConnectionDrain } from "./connection-draining.ts";

const TIMES = { acceptMs: 40, idleMs: 300 };
const agents: Agent[] = [];
afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()));

/** A server that answers at once, but for /stream, which a test ends. */
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
  const ask = (path = "/"): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port, path, agent }, resolve).once("error", reject);
    });
  return { connectionDrain, ask, streams };
}

it("asks clients with keep-alive connections to disconnect, and ends the stop when they have", async () => {
  const { connectionDrain, ask } = await serve();
  const first = await ask();
  expect(first.headers.connection).toBe("keep-alive");
  await once(first.resume(), "close");
  const told = connectionDrain.begin(30);
  const second = await ask();
  expect(second.headers.connection).toBe("close");
  await once(second.resume(), "close");
  await told;
  await connectionDrain.waitUntilClosed();
});

it("keeps the connection of a stream that began before the stop open for one more call", async () => {
  const { connectionDrain, ask, streams } = await serve();
  const stream = await ask("/stream");
  await connectionDrain.begin(30);
  let busy = true;
  const gone = connectionDrain.waitUntilClosed(() => busy);
  streams[0]?.end();
  await once(stream.resume(), "close");
  busy = false;
  const next = await ask();
  expect(next.headers.connection).toBe("close");
  next.resume();
  await gone;
});

it("does not wait for unused connections", async () => {
  const { connectionDrain, ask } = await serve();
  await once((await ask()).resume(), "close");
  const startedAtMs = Date.now();
  await connectionDrain.begin(30);
  await connectionDrain.waitUntilClosed();
  expect(Date.now() - startedAtMs).toBeLessThan(2_500);
});

it("closes idle connections at once for a short grace period", async () => {
  const { connectionDrain, ask } = await serve();
  await once((await ask()).resume(), "close");
  const startedAtMs = Date.now();
  await connectionDrain.begin(10);
  await connectionDrain.waitUntilClosed();
  expect(Date.now() - startedAtMs).toBeLessThan(TIMES.idleMs);
});
