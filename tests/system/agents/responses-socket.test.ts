import { once } from "node:events";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openResponsesSocket } from "../../lib/responses-socket-client.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

const MODEL = "gpt-4o-mini";
const CLAUDE = "claude-3-5-sonnet-20241022";
const CREDIT = 10_000_000;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  const env = { GLOBAL_API_RATE_LIMIT_ENABLE: "false", BODY_LIMIT_MB: "1" };
  world = await startWorld({ backing: testBacking(), env });
  testSite = await openTestSite(world, upstream.url);
  const common = { key: "k", base_url: upstream.url, group: "default" };
  await testSite.root.post("/api/channel/", { ...common, type: 1, name: "openai", models: MODEL });
  await testSite.root.post("/api/channel/", { ...common, type: 14, name: "claude", models: CLAUDE });
  const { key } = await testSite.token();
  for (const model of [MODEL, CLAUDE])
    await testSite.eventually("routing", 20_000, async () => {
      const response = await fetch(`${world.relayUrl}/v1/responses`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, input: "x" }),
      });
      return response.ok || undefined;
    });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

async function createCaller() {
  const user = await testSite.createUser(CREDIT);
  const { key, id } = await testSite.token({}, user.client);
  const listRows = async (): Promise<LogRow[]> =>
    (await user.client.get<{ items: LogRow[] }>("/api/log/self", { p: 1, page_size: 100, type: 2 })).items;
  const balance = async (): Promise<number> => (await user.client.get<{ quota: number }>("/api/user/self")).quota;
  return { user, key, id, listRows, balance };
}

async function getRefusal(headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(`${world.relayUrl.replace("http", "ws")}/v1/responses`, { headers });
  const [, response] = (await once(socket, "unexpected-response")) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number },
  ];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

describe("WebSocket at /v1/responses", () => {
  it.each(["relay", "gateway"])("charges each response with a row of its own (through the %s)", async (way) => {
    const { key, listRows, balance } = await createCaller();
    const socket = await openResponsesSocket(way === "relay" ? world.relayUrl : world.consoleUrl, key);
    const usage = { inputTokens: 1_000, outputTokens: 200 };
    upstream.next({}, { usage }, { usage });
    await socket.create({ model: MODEL, input: "one" });
    const { response } = await socket.create({ model: CLAUDE, input: "two" });
    expect(response).toMatchObject({ usage: { input_tokens: 1_000, output_tokens: 200 } });
    await socket.close();
    const rows = await testSite.eventually("two rows", 5_000, async () => {
      const found = await listRows();
      return found.length >= 2 ? found : undefined;
    });
    expect(
      rows.map(({ model_name, prompt_tokens, completion_tokens, is_stream }) => [
        model_name,
        prompt_tokens,
        completion_tokens,
        is_stream,
      ]),
    ).toEqual([
      [CLAUDE, 1_000, 200, true],
      [MODEL, 1_000, 200, true],
    ]);
    const spent = rows.reduce((sum, { quota }) => sum + quota, 0);
    await testSite.eventually("the charge", 5_000, async () => (await balance()) === CREDIT - spent || undefined);
  });

  it("holds input without a call and a charge, and continues with it", async () => {
    const { key, listRows } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    const before = upstream.calls.length;
    const held = await socket.create({ model: CLAUDE, generate: false, input: "My name is Ada." });
    expect(held.response).toMatchObject({ status: "completed", output: [] });
    expect(upstream.calls.length).toBe(before);
    const turn = await socket.create({ model: CLAUDE, previous_response_id: held.response?.id, input: "My name?" });
    expect(turn.response).toMatchObject({ status: "completed" });
    expect(JSON.stringify(upstream.calls.at(-1)?.body)).toMatch(/My name is Ada.*My name\?/);
    await socket.close();
    await testSite.eventually("one row", 5_000, async () => (await listRows()).length === 1 || undefined);
  });

  it("continues a tool loop over a provider without storage", async () => {
    const { key } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    const tools = [{ type: "function", name: "read", parameters: { type: "object", properties: {} }, strict: false }];
    upstream.next(
      {},
      { text: "", toolCalls: [{ id: "call_1", name: "read", arguments: {} }] },
      { text: "It is empty." },
    );
    const call = await socket.create({ model: CLAUDE, store: false, tools, input: "Read it." });
    const [item] = call.response?.output ?? [];
    const output = { type: "function_call_output", call_id: item?.["call_id"], output: "" };
    const previous = { previous_response_id: call.response?.id };
    const end = await socket.create({ model: CLAUDE, store: false, tools, ...previous, input: [output] });
    expect(end.response?.output).toMatchObject([{ content: [{ text: "It is empty." }] }]);
    await socket.close();
  });

  it("reports an upstream's failure as an event, and stays open", async () => {
    const { key } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    upstream.next({}, { refuse: { status: 400, message: "no such thing", code: "bad_thing" } });
    expect((await socket.create({ model: MODEL, input: "x" })).error).toMatchObject({ status: 400, code: "bad_thing" });
    expect((await socket.create({ model: MODEL, input: "x" })).response).toMatchObject({ status: "completed" });
    await socket.close();
  });

  it.each([
    ["text that is not JSON", "{", null],
    ["a list", "[]", null],
    ["another event", '{"type":"session.update"}', "type"],
    ["no type", '{"model":"gpt-4o-mini"}', "type"],
    ["no model", '{"type":"response.create","input":"x"}', "model"],
    ["no input", `{"type":"response.create","model":"${MODEL}"}`, "input"],
    ["a key twice", `{"type":"response.create","model":"${MODEL}","model":"${CLAUDE}","input":"x"}`, expect.anything()],
    ["background", `{"type":"response.create","model":"${MODEL}","input":"x","background":true}`, "background"],
    ["a flag that is text", `{"type":"response.create","model":"${MODEL}","input":"x","generate":"no"}`, "generate"],
  ])("reports a frame with %s by an error event, and stays open", async (_, frame, param) => {
    const { key } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    socket.send(frame);
    const { events } = await socket.readTurn();
    expect(events).toMatchObject([{ type: "error", status: 400, error: { message: expect.any(String), param } }]);
    expect((await socket.create({ model: MODEL, input: "x" })).response).toMatchObject({ status: "completed" });
    await socket.close();
  });

  it("ends with 1009 after a frame that is too large", async () => {
    const { key } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    socket.send(JSON.stringify({ type: "response.create", model: MODEL, input: "x".repeat(1_100_000) }));
    expect(await socket.closed).toBe(1009);
  });

  it("ends with 1008 once the key is revoked, with and without a further event", async () => {
    const { key, id, user } = await createCaller();
    const [active, idle] = [
      await openResponsesSocket(world.relayUrl, key),
      await openResponsesSocket(world.relayUrl, key),
    ];
    expect((await active.create({ model: MODEL, input: "x" })).response).toMatchObject({ status: "completed" });
    await user.client.delete(`/api/token/${id}`);
    await testSite.eventually("the refusal", 10_000, async () => {
      const { error } = await active.create({ model: MODEL, input: "x" });
      return error?.status === 401 || undefined;
    });
    expect(await active.closed).toBe(1008);
    expect(await idle.closed).toBe(1008);
  }, 40_000);

  it.each(["delete", "disable"])(
    "ends with 1008 in the middle of a response, charged as far as it was sent: %s",
    async (way) => {
      const { key, id, user, listRows } = await createCaller();
      const socket = await openResponsesSocket(world.relayUrl, key);
      const usage = { inputTokens: 1_000, outputTokens: 50_000 };
      upstream.next({}, { pieces: 2_000, frameGapMs: 50, usage });
      socket.send(JSON.stringify({ type: "response.create", model: MODEL, input: "long" }));
      await testSite.eventually(
        "the first text",
        10_000,
        async () => socket.events.some(({ type }) => type === "response.output_text.delta") || undefined,
      );
      if (way === "delete") await user.client.delete(`/api/token/${id}`);
      else await user.client.put("/api/token/?status_only=true", { id, status: 2 });
      expect(await socket.closed).toBe(1008);
      expect(socket.events.at(-1)).toMatchObject({ type: "error", status: 401 });
      expect(socket.events.some(({ type }) => type === "response.completed")).toBe(false);
      const [row] = await testSite.eventually("the row", 10_000, async () => {
        const rows = await listRows();
        return rows.length > 0 ? rows : undefined;
      });
      expect(row?.completion_tokens).toBeGreaterThan(0);
      expect(row?.completion_tokens).toBeLessThan(usage.outputTokens);
    },
    60_000,
  );

  it("refuses handshakes without a valid key with 401", async () => {
    expect((await getRefusal({ authorization: "Bearer sk-nobody" })).status).toBe(401);
  });

  it.each(["x-session-id", "session_id", "x-claude-code-session-id"])(
    "refuses handshakes with a %s that is too long with 400, before the upgrade",
    async (name) => {
      const { key } = await createCaller();
      const refusal = await getRefusal({ authorization: `Bearer ${key}`, [name]: "s".repeat(257) });
      expect(refusal.status).toBe(400);
      expect(JSON.parse(refusal.body)).toMatchObject({
        error: { param: name, message: expect.stringContaining(name) },
      });
    },
  );

  it("charges a response whose client disconnects", async () => {
    const { key, listRows } = await createCaller();
    const socket = await openResponsesSocket(world.relayUrl, key);
    upstream.next({}, { pieces: 200, frameGapMs: 50 });
    socket.send(JSON.stringify({ type: "response.create", model: MODEL, input: "x" }));
    await once(socket.socket, "message");
    socket.socket.terminate();
    await testSite.eventually("the row", 10_000, async () => (await listRows()).length === 1 || undefined);
    expect(await world.metrics("relay")).toMatch(/^turnpike_relay_calls_in_flight 0$/m);
  }, 20_000);

  it("is refused with 426 when turned off", async () => {
    const { key } = await createCaller();
    const set = (value: string) => testSite.root.put("/api/option/", { key: "ResponsesWebSocketEnabled", value });
    await set("false");
    try {
      const refused = await testSite.eventually("the refusal", 10_000, async () => {
        const socket = new WebSocket(`${world.relayUrl.replace("http", "ws")}/v1/responses`, {
          headers: { authorization: `Bearer ${key}` },
        });
        const first = await Promise.race([
          once(socket, "unexpected-response").then(() => true),
          once(socket, "open").then(() => false),
        ]);
        socket.on("error", () => undefined).terminate();
        return first || undefined;
      });
      expect(refused).toBe(true);
      expect((await getRefusal({ authorization: `Bearer ${key}` })).status).toBe(426);
    } finally {
      await set("true");
    }
  });
});
