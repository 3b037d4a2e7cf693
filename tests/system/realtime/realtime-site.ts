import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createServer, type Server } from "node:tls";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterAll, beforeAll } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { openaiClient } from "../../lib/clients.ts";
import { type FakeRealtime, startFakeRealtime } from "../../lib/upstreams/fake-realtime.ts";
import { makeCertificate } from "../../lib/network/test-certificate.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

/** Balance of a caller, unless a test sets another one. */
export const CREDIT = 10_000_000;

type Servers = {
  world: World;
  upstream: FakeRealtime;
  testSite: TestSite;
  /** TLS in front of the relay and of the gateway. */
  relayFront: Server;
  gatewayFront: Server;
};

/** The client supports TLS only: this replaces the TLS proxy that stands before a relay in production. */
async function startFront(target: string): Promise<Server> {
  const { port } = new URL(target);
  const server = createServer(await makeCertificate(), (socket) => {
    const behind = connect(Number(port), "127.0.0.1");
    socket.pipe(behind).pipe(socket);
    for (const one of [socket, behind]) one.on("error", () => one.destroy());
    socket.on("close", () => behind.destroy());
    behind.on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const getUrl = (server: Server): string => `https://localhost:${(server.address() as AddressInfo).port}`;

async function startServers(): Promise<Servers> {
  const upstream = await startFakeRealtime();
  const world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  const testSite = await openTestSite(world, upstream.url);
  const channel = { key: "up-key", base_url: upstream.url, group: "default" };
  const models = "gpt-4o-realtime-preview,gpt-realtime";
  await testSite.root.post("/api/channel/", { ...channel, type: 1, name: "live", models });
  const second = { ...channel, key: "up-second", models: "gpt-realtime" };
  await testSite.root.post("/api/channel/", { ...second, type: 1, name: "live two" });
  const deployment = { ...channel, key: "az-key", other: "2025-04-01-preview", models: "azure-realtime" };
  const mapping = JSON.stringify({ "azure-realtime": "my deployment" });
  await testSite.root.post("/api/channel/", { ...deployment, type: 3, name: "azure", model_mapping: mapping });
  await testSite.root.post("/api/channel/", { ...channel, type: 14, name: "no voice", models: "claude-voice" });
  const prices = { "azure-realtime": 0.01, "proxied-voice": 0.01, "lost-voice": 0.01, "drained-voice": 0.01 };
  await testSite.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify(prices) });
  const [relayFront, gatewayFront] = await Promise.all([startFront(world.relayUrl), startFront(world.consoleUrl)]);
  return { world, upstream, testSite, relayFront, gatewayFront };
}

/** Requests a response; returns the types of its events. */
async function requestResponse(session: OpenAIRealtimeWS): Promise<string[]> {
  const types: string[] = [];
  const record = ({ type }: { type: string }): void => {
    if (!type.startsWith("session.")) types.push(type);
  };
  const done = new Promise<void>((resolve) => session.once("response.done", () => resolve()));
  session.on("event", record);
  session.send({ type: "response.create" });
  await done;
  session.off("event", record);
  return types;
}

async function closeSession(session: OpenAIRealtimeWS): Promise<void> {
  const closed = once(session.socket, "close");
  session.close();
  await closed;
}

/** What the Realtime tests share: a system with Realtime channels, started before the tests and stopped after them. */
export function useRealtimeSite() {
  const at = {} as Servers;
  beforeAll(async () => void Object.assign(at, await startServers()), 120_000);
  afterAll(async () => {
    at.relayFront?.close();
    at.gatewayFront?.close();
    await at.world?.stop();
    at.upstream?.stop();
  });

  async function createCaller(quota = CREDIT) {
    const user = await at.testSite.createUser(quota);
    const { key, id } = await at.testSite.token({}, user.client);
    const balance = async () => (await user.client.get<{ quota: number }>("/api/user/self")).quota;
    return { key, tokenId: id, user, balance };
  }

  /** The only log row of a user's Realtime session. */
  const readRow = ({ user }: Awaited<ReturnType<typeof createCaller>>): Promise<LogRow> =>
    at.testSite.eventually("the log row", 3_000, async () => {
      const { items } = await user.client.get<{ items: LogRow[] }>("/api/log/self", { p: 1, page_size: 100, type: 2 });
      return items[0];
    });

  async function openSession(key: string, model: string, front = at.relayFront): Promise<OpenAIRealtimeWS> {
    const client = openaiClient(getUrl(front), key);
    const session = new OpenAIRealtimeWS({ model, options: { rejectUnauthorized: false } }, client);
    session.on("error", () => undefined);
    await once(session.socket, "open");
    return session;
  }

  /** A refusal before the session starts: status and body. */
  async function getRefusal(query: string, protocols: string[]) {
    const { WebSocket } = await import("ws");
    const socket = new WebSocket(`${at.world.relayUrl.replace("http", "ws")}/v1/realtime${query}`, protocols);
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    let text = "";
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode ?? 0, body: JSON.parse(text) as { error: { code: string } } };
  }

  return Object.assign(at, { createCaller, readRow, openSession, requestResponse, closeSession, getRefusal });
}

export type RealtimeSite = ReturnType<typeof useRealtimeSite>;
