import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { createServer, type Server } from "node:tls";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openaiClient } from "../lib/clients.ts";
import { type FakeRealtime, SECOND_OF_SOUND, startFakeRealtime } from "../lib/fake-realtime.ts";
import { type LogRow, openShop, type Shop } from "../lib/shop.ts";
import { startSocksProxy } from "../lib/socks-proxy.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { makeCertificate } from "../lib/test-certificate.ts";
import { startWorld, type World } from "../lib/world.ts";

let world: World;
let upstream: FakeRealtime;
let shop: Shop;
let relayFront: Server;
let gatewayFront: Server;

/** The client supports TLS only: this replaces the TLS proxy that stands before a relay in production. */
async function frontOf(target: string): Promise<Server> {
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

const urlOf = (server: Server): string => `https://localhost:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  upstream = await startFakeRealtime();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  shop = await openShop(world, upstream.url);
  const channel = { key: "up-key", base_url: upstream.url, group: "default" };
  const models = "gpt-4o-realtime-preview,gpt-realtime";
  await shop.root.post("/api/channel/", { ...channel, type: 1, name: "live", models });
  const second = { ...channel, key: "up-second", models: "gpt-realtime" };
  await shop.root.post("/api/channel/", { ...second, type: 1, name: "live two" });
  const deployment = { ...channel, key: "az-key", other: "2025-04-01-preview", models: "azure-realtime" };
  const mapping = JSON.stringify({ "azure-realtime": "my deployment" });
  await shop.root.post("/api/channel/", { ...deployment, type: 3, name: "azure", model_mapping: mapping });
  await shop.root.post("/api/channel/", { ...channel, type: 14, name: "no voice", models: "claude-voice" });
  const prices = { "azure-realtime": 0.01, "proxied-voice": 0.01, "lost-voice": 0.01 };
  await shop.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify(prices) });
  relayFront = await frontOf(world.relayUrl);
  gatewayFront = await frontOf(world.consoleUrl);
}, 120_000);
afterAll(async () => {
  relayFront?.close();
  gatewayFront?.close();
  await world?.stop();
  upstream?.stop();
});

const CREDIT = 10_000_000;

async function caller(quota = CREDIT) {
  const person = await shop.person(quota);
  const { key, id } = await shop.token({}, person.client);
  const balance = async () => (await person.client.get<{ quota: number }>("/api/user/self")).quota;
  return { key, tokenId: id, person, balance };
}

type Caller = Awaited<ReturnType<typeof caller>>;

/** The only log row of a user's Realtime session. */
const rowOf = ({ person }: Caller): Promise<LogRow> =>
  shop.eventually("the log row", 3_000, async () => {
    const { items } = await person.client.get<{ items: LogRow[] }>("/api/log/self", { p: 1, page_size: 100, type: 2 });
    return items[0];
  });

async function talk(key: string, model: string, front = relayFront): Promise<OpenAIRealtimeWS> {
  const client = openaiClient(urlOf(front), key);
  const talking = new OpenAIRealtimeWS({ model, options: { rejectUnauthorized: false } }, client);
  talking.on("error", () => undefined);
  await once(talking.socket, "open");
  return talking;
}

async function ask(talking: OpenAIRealtimeWS): Promise<string[]> {
  const types: string[] = [];
  const note = ({ type }: { type: string }): void => {
    if (!type.startsWith("session.")) types.push(type);
  };
  const done = new Promise<void>((resolve) => talking.once("response.done", () => resolve()));
  talking.on("event", note);
  talking.send({ type: "response.create" });
  await done;
  talking.off("event", note);
  return types;
}

async function hangUp(talking: OpenAIRealtimeWS): Promise<void> {
  const closed = once(talking.socket, "close");
  talking.close();
  await closed;
}

/** A refusal before the session starts: status and body. */
async function refusal(
  query: string,
  protocols: string[],
): Promise<{ status: number; body: { error: { code: string } } }> {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(`${world.relayUrl.replace("http", "ws")}/v1/realtime${query}`, protocols);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: JSON.parse(text) as { error: { code: string } } };
}

describe("Realtime sessions", () => {
  it.each(["relay", "gateway"])(
    "passes events both ways through the %s, and writes one row with the sum of the responses",
    async (way) => {
      const ann = await caller();
      upstream.always({ usage: { text: 100, cachedText: 40, audio: 50, cachedAudio: 10, textOut: 5, audioOut: 20 } });
      const talking = await talk(ann.key, "gpt-4o-realtime-preview", way === "relay" ? relayFront : gatewayFront);
      const types = await ask(talking);
      expect(types).toEqual([
        "response.created",
        "response.output_text.delta",
        "response.output_audio.delta",
        "response.output_text.delta",
        "response.done",
      ]);
      talking.send({ type: "input_audio_buffer.append", audio: SECOND_OF_SOUND });
      await ask(talking);
      await hangUp(talking);
      const row = await rowOf(ann);
      expect(row).toMatchObject({ prompt_tokens: 300, completion_tokens: 50, is_stream: true });
      // (text 60 + cached 50 × 0.5 + audio 40 × 20 + text out 5 × 4 + audio out 20 × 40) × 2.5, twice.
      expect(row.quota).toBe(2 * (60 + 25 + 800 + 20 + 800) * 2.5);
      expect(JSON.parse(row.other)).toMatchObject({ ws: true, audio: true, audio_input: 80, audio_output: 40 });
      await shop.eventually("the balance", 3_000, async () =>
        (await ann.balance()) === CREDIT - row.quota ? true : undefined,
      );
      const call = upstream.calls.at(-1);
      expect([call?.url.pathname, call?.url.search]).toEqual(["/v1/realtime", "?model=gpt-4o-realtime-preview"]);
      expect(call?.headers.authorization).toBe("Bearer up-key");
      expect(JSON.stringify(call?.headers)).not.toContain(ann.key);
      expect(call?.events).toHaveLength(3);
    },
  );

  it("returns the log row's id in the opening response", async () => {
    const ann = await caller();
    const { WebSocket } = await import("ws");
    const address = `${world.relayUrl.replace("http", "ws")}/v1/realtime?model=gpt-realtime`;
    const socket = new WebSocket(address, ["realtime", `openai-insecure-api-key.${ann.key}`]);
    const closed = once(socket, "close");
    const opened = once(socket, "upgrade");
    socket.on("open", () => socket.send('{"type":"response.create"}'));
    socket.on("message", (frame: Buffer) => frame.includes("response.done") && socket.close());
    const [response] = (await opened) as [IncomingMessage];
    await closed;
    expect((await rowOf(ann)).request_id).toBe(response.headers["x-request-id"]);
  });

  it.each([
    ["tokens", { type: "tokens", input_tokens: 30, output_tokens: 12, input_token_details: { audio_tokens: 30 } }, 30],
    ["seconds", { type: "duration", seconds: 6 }, 100],
  ])("charges the transcript usage that upstream reports, in %s", async (_, transcript, input) => {
    const ann = await caller();
    upstream.next({ transcript });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const heard = new Promise<void>((resolve) =>
      talking.once("conversation.item.input_audio_transcription.completed", () => resolve()),
    );
    talking.send({ type: "input_audio_buffer.append", audio: SECOND_OF_SOUND });
    talking.send({ type: "input_audio_buffer.commit" });
    await heard;
    await hangUp(talking);
    const row = await rowOf(ann);
    const output = transcript.type === "tokens" ? 12 : 0;
    expect(row).toMatchObject({ prompt_tokens: input, completion_tokens: output });
    expect(row.quota).toBe((input + output * 4) * 2.5);
  });

  it("uses the channel's socks5 proxy, and no other way if it is down", async () => {
    const proxy = await startSocksProxy();
    const base = { type: 1, key: "up-key", base_url: upstream.url, group: "default" };
    for (const [models, port] of [
      ["proxied-voice", proxy.port],
      ["lost-voice", 1],
    ])
      await shop.root.post("/api/channel/", {
        ...base,
        name: models,
        models,
        setting: JSON.stringify({ proxy: `socks5://127.0.0.1:${port}` }),
      });
    const ann = await caller();
    await shop.eventually("the channels", 5_000, async () => {
      const { status } = await refusal("?model=lost-voice", ["realtime", `openai-insecure-api-key.${ann.key}`]);
      return status === 502 || undefined;
    });
    const before = upstream.calls.length;
    const talking = await talk(ann.key, "proxied-voice");
    await ask(talking);
    await hangUp(talking);
    expect(proxy.asked).toEqual([new URL(upstream.url).host]);
    expect(upstream.calls.length).toBe(before + 1);
    proxy.stop();
  });

  it("accepts the key in the subprotocol, where browsers must put it", async () => {
    const ann = await caller();
    const url = `${world.relayUrl.replace("http", "ws")}/v1/realtime?model=gpt-realtime`;
    const socket = new WebSocket(url, ["realtime", `openai-insecure-api-key.${ann.key}`, "openai-beta.realtime-v1"]);
    const first = await new Promise<MessageEvent>((resolve) =>
      socket.addEventListener("message", resolve, { once: true }),
    );
    expect(JSON.parse(String(first.data))).toMatchObject({ type: "session.created" });
    expect(socket.protocol).toBe("realtime");
    expect(upstream.calls.at(-1)?.headers).toMatchObject({ "openai-beta": "realtime=v1" });
    expect(upstream.calls.at(-1)?.headers["sec-websocket-protocol"]).toBe("realtime");
    socket.close();
  });

  it("reaches Azure's deployment, and charges a price per call once", async () => {
    const ann = await caller();
    const talking = await talk(ann.key, "azure-realtime");
    await ask(talking);
    await ask(talking);
    await hangUp(talking);
    expect((await rowOf(ann)).quota).toBe(5_000);
    const { url, headers } = upstream.calls.at(-1) ?? {};
    expect([url?.pathname, url?.searchParams.get("deployment"), url?.searchParams.get("api-version")]).toEqual([
      "/openai/realtime",
      "my deployment",
      "2025-04-01-preview",
    ]);
    expect(headers?.["api-key"]).toBe("az-key");
  });

  it("refuses sessions in HTTP before they start, at no cost", async () => {
    const ann = await caller();
    const protocols = ["realtime", `openai-insecure-api-key.${ann.key}`];
    const codeOf = async (query: string, offered = protocols) => {
      const { status, body } = await refusal(query, offered);
      return [status, body.error.code];
    };
    expect(await codeOf("?model=gpt-realtime", ["realtime"])).toEqual([401, "invalid_api_key"]);
    expect(await codeOf("")).toEqual([400, "invalid_request"]);
    expect(await codeOf("?model=nothing")).toEqual([404, "model_not_found"]);
    expect(await codeOf("?model=claude-voice")).toEqual([503, "no_available_channel"]);
    upstream.next({ refuse: { status: 400, code: "bad_session" } });
    expect(await codeOf("?model=gpt-4o-realtime-preview")).toEqual([400, "bad_session"]);
    expect(await ann.balance()).toBe(CREDIT);
  });

  it("uses the next channel if one refuses before any event", async () => {
    const ann = await caller();
    upstream.next({ refuse: { status: 500, code: "broken" } });
    const talking = await talk(ann.key, "gpt-realtime");
    await ask(talking);
    await hangUp(talking);
    const { other } = await shop.logOf((await rowOf(ann)).request_id);
    const { admin_info } = JSON.parse(other) as { admin_info: { use_channel: string[] } };
    expect(new Set(admin_info.use_channel).size).toBe(2);
  });

  it("ends with an error event when the balance is exhausted", async () => {
    const ann = await caller(40_000);
    upstream.always({ usage: { text: 100, audioOut: 100 } });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const closed = once(talking.socket, "close");
    const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
      talking.on("error", (failure) => resolve(failure)),
    );
    for (let round = 0; round < 20 && talking.socket.readyState === 1; round++)
      await Promise.race([ask(talking), closed]);
    expect((await error).error?.code).toBe("insufficient_user_quota");
    expect((await closed)[0]).toBe(1008);
    const row = await rowOf(ann);
    const each = (100 + 100 * 40) * 2.5;
    expect(row.quota % each).toBe(0);
    expect(row.quota).toBeGreaterThan(20_000);
    expect(row.quota).toBeLessThanOrEqual(40_000 + each);
  });

  it("charges the part produced when the caller disconnects during a response, and closes upstream", async () => {
    const ann = await caller();
    upstream.next({ hold: new Promise(() => undefined) });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const heard = new Promise<void>((resolve) => talking.once("response.output_audio.delta", () => resolve()));
    talking.send({ type: "response.create" });
    await heard;
    await hangUp(talking);
    const row = await rowOf(ann);
    // A second of audio, and a word.
    expect(row.completion_tokens).toBeGreaterThanOrEqual(13);
    expect(JSON.parse(row.other)).toMatchObject({ usage_estimated: true });
    expect(row.quota).toBeGreaterThan(1_000);
  });

  it("sends the caller an error event when upstream is cut", async () => {
    const ann = await caller();
    upstream.next({ cut: true });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
      talking.on("error", (failure) => resolve(failure)),
    );
    const closed = once(talking.socket, "close");
    talking.send({ type: "response.create" });
    expect((await error).error?.code).toBe("stream_interrupted");
    expect((await closed)[0]).toBe(1011);
    expect((await rowOf(ann)).quota).toBeGreaterThan(0);
  });

  it("blocks forbidden content, and continues", async () => {
    const ann = await caller();
    upstream.always({ usage: { text: 10, textOut: 5 } });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
      talking.on("error", (failure) => resolve(failure)),
    );
    talking.send({
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_text", text: "say TEST_sensitive" }] },
    });
    expect((await error).error?.code).toBe("sensitive_words_detected");
    await ask(talking);
    await hangUp(talking);
    expect(JSON.stringify(upstream.calls.at(-1)?.events)).not.toContain("sensitive");
  });

  it("finishes the response when the relay stops, and posts its usage", async () => {
    const ann = await caller();
    let goOn = (): void => undefined;
    upstream.next({ usage: { text: 10, textOut: 5 }, hold: new Promise<void>((resolve) => (goOn = resolve)) });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    const begun = new Promise<void>((resolve) => talking.once("response.created", () => resolve()));
    const done = new Promise<void>((resolve) => talking.once("response.done", () => resolve()));
    const closed = once(talking.socket, "close");
    talking.send({ type: "response.create" });
    await begun;
    const stopped = world.suspend("relay");
    goOn();
    await done;
    expect((await closed)[0]).toBe(1001);
    await stopped;
    expect((await rowOf(ann)).quota).toBe((10 + 5 * 4) * 2.5);
    await world.resume("relay");
  });

  it("charges the finished responses when the relay dies", async () => {
    const ann = await caller();
    upstream.always({ usage: { text: 10, textOut: 5 } });
    const talking = await talk(ann.key, "gpt-4o-realtime-preview");
    await ask(talking);
    await ask(talking);
    // The journal record of the second response is on its way to Redis.
    await shop.eventually("a moment", 2_000, async () => ((await ann.balance()) > 0 ? true : undefined));
    const closed = once(talking.socket, "close");
    world.kill("relay");
    await closed;
    await world.waitReady("relay");
    const row = await shop.eventually("the recovered row", 40_000, async () => {
      const { items } = await ann.person.client.get<{ items: LogRow[] }>("/api/log/self", {
        p: 1,
        page_size: 9,
        type: 2,
      });
      return items[0];
    });
    expect(row.quota).toBe(2 * (10 + 5 * 4) * 2.5);
  }, 60_000);
});
