import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { beforeAll, describe, expect, it } from "vitest";
import { isSettled } from "../../lib/settled.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;
type Received = { readonly status: number; readonly body: Json };

const log = createLogger("stored-responses", "silent");
const at = useTestSite({ relayWorkers: 2 });
const CLAUDE = "claude-3-5-sonnet-20241022";
const KEPT_HERE = [CLAUDE, "gemini-2.0-flash", "deepseek-chat"];
const EVERY = [...KEPT_HERE, "gpt-4o"];
const NOT_FOUND = [404, "not_found"];
let key: string;
let strangersKey: string;

/** A call on a connection of its own, so that both relays get some. */
const call = (method: string, path: string, body?: Json, asKey = key): Promise<Response> =>
  fetch(`${at.world.relayUrl}/v1/responses${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}`, connection: "close" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
async function send(method: string, path: string, body?: Json, asKey = key): Promise<Received> {
  const response = await call(method, path, body, asKey);
  return { status: response.status, body: (await response.json()) as Json };
}
const create = (body: Json, asKey = key): Promise<Received> => send("POST", "", body, asKey);
const readError = ({ status, body }: Received) => [status, (body["error"] as Json)?.["code"]];
const readId = ({ body }: Received): string => String(body["id"]);

/** The events of a stream, each with its number. */
async function readEvents(response: Response): Promise<Json[]> {
  const frames = (await response.text()).split("\n\n").filter((frame) => frame.includes("data: "));
  return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Json);
}
const readText = (events: readonly Json[]): string =>
  events.flatMap(({ type, delta }) => (type === "response.output_text.delta" ? [String(delta)] : [])).join("");

/** The response once it no longer runs. */
const readEnd = (id: string): Promise<Json> =>
  at.testSite.eventually("the end", 60_000, async () => {
    const { body } = await send("GET", `/${id}`);
    return body["status"] === "queued" || body["status"] === "in_progress" ? undefined : body;
  });

async function readRows(name: string): Promise<readonly { quota: number; completion_tokens: number }[]> {
  await at.testSite.eventually("posting", 60_000, async () => (await isSettled(at.world)) || undefined);
  return (await at.testSite.logs({ token_name: name, type: 2 })).items as never;
}

async function withRedis<Value>(use: (redis: ReturnType<typeof connectRedis>) => Promise<Value>): Promise<Value> {
  const redis = connectRedis({ url: at.world.redisUrl, namespace: at.world.namespace, log });
  try {
    await waitForRedis(redis, 5_000);
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

beforeAll(async () => {
  ({ key } = await at.testSite.token());
  const stranger = await at.testSite.createUser(1_000_000_000);
  ({ key: strangersKey } = await at.testSite.token({}, stranger.client));
  for (const model of EVERY)
    await at.testSite.eventually(
      model,
      20_000,
      async () => (await create({ model, input: "x" })).status === 200 || undefined,
    );
}, 120_000);

describe("stored response of a provider that keeps none", () => {
  it.each(KEPT_HERE)("is read, listed and deleted: %s", async (model) => {
    at.upstream.next({}, { text: "Paris." });
    const made = await create({ model, input: "What is the capital of France?" });
    expect(made).toMatchObject({ status: 200, body: { status: "completed", store: true } });
    const id = readId(made);
    expect(await send("GET", `/${id}`)).toEqual({ status: 200, body: made.body });
    expect((await send("GET", `/${id}/input_items`)).body).toMatchObject({
      object: "list",
      has_more: false,
      data: [{ type: "message", role: "user", content: [{ text: "What is the capital of France?" }] }],
    });
    expect(await send("POST", `/${id}/cancel`)).toMatchObject({ status: 400 });
    expect(await send("DELETE", `/${id}`)).toEqual({ status: 200, body: { id, object: "response", deleted: true } });
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/input_items"],
      ["POST", "/cancel"],
      ["GET", "?stream=true"],
    ] as const)
      expect(readError(await send(method, `/${id}${path}`))).toEqual(NOT_FOUND);
    expect(readError(await create({ model, input: "x", previous_response_id: id }))).toEqual([
      404,
      "previous_response_not_found",
    ]);
  });

  it.each(KEPT_HERE.flatMap((model) => [false, true].map((stream) => [model, stream] as const)))(
    "is continued over five turns on two relays: %s, streamed: %s",
    async (model, stream) => {
      let previous: string | undefined;
      for (let turn = 1; turn <= 5; turn++) {
        at.upstream.reset();
        at.upstream.next({}, { text: `answer ${turn}` });
        const body = { model, stream, input: `question ${turn}`, ...(previous && { previous_response_id: previous }) };
        const response = await call("POST", "", body);
        expect(response.status).toBe(200);
        const ended = stream
          ? ((await readEvents(response)).at(-1)?.["response"] as Json)
          : ((await response.json()) as Json);
        expect(ended["previous_response_id"]).toBe(previous ?? null);
        const sent = JSON.stringify(at.upstream.calls.at(-1)?.body);
        for (let index = 1; index < turn; index++) {
          expect(sent).toContain(`question ${index}`);
          expect(sent).toContain(`answer ${index}`);
        }
        expect(sent).not.toContain("previous_response_id");
        previous = String(ended["id"]);
      }
      const items = await send("GET", `/${previous}/input_items?order=asc&limit=4`);
      expect(items).toMatchObject({ status: 200, body: { has_more: true } });
      expect(items.body["data"]).toHaveLength(4);
    },
  );

  it("keeps a tool call and its output in the conversation", async () => {
    const tools = [{ type: "function", name: "weather", parameters: { type: "object", properties: {} } }];
    at.upstream.next({}, { text: "", toolCalls: [{ name: "weather", arguments: {} }] });
    const made = await create({ model: CLAUDE, input: "Weather?", tools });
    const toolCall = (made.body["output"] as Json[]).find(({ type }) => type === "function_call");
    at.upstream.next({}, { text: "Sunny." });
    const input = [{ type: "function_call_output", call_id: toolCall?.["call_id"], output: "sun" }];
    const next = await create({ model: CLAUDE, input, tools, previous_response_id: readId(made) });
    expect(next.status).toBe(200);
    expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toMatch(/Weather\?.*tool_use.*tool_result.*sun/s);
  });

  it("moves to another provider", async () => {
    const made = await create({ model: CLAUDE, input: "first" });
    at.upstream.reset();
    for (const model of EVERY) {
      const next = await create({ model, input: "second", previous_response_id: readId(made) });
      expect(next).toMatchObject({ status: 200, body: { previous_response_id: readId(made) } });
      expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain("first");
    }
  });

  it("is not found by another user or by an id that was never made, all alike", async () => {
    const made = await create({ model: CLAUDE, input: "secret" });
    const id = readId(made);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/input_items"],
      ["POST", "/cancel"],
      ["GET", "?stream=true"],
    ] as const) {
      const others = await send(method, `/${id}${path}`, undefined, strangersKey);
      const forged = await send(method, `/${id.slice(0, -2)}00${path}`);
      expect([readError(others), readError(forged)]).toEqual([NOT_FOUND, NOT_FOUND]);
    }
    const continued = { model: CLAUDE, input: "x", previous_response_id: id };
    expect(readError(await create(continued, strangersKey))).toEqual([404, "previous_response_not_found"]);
    expect((await send("GET", `/${id}`)).status).toBe(200);
  });

  it("is not kept with store: false, and is sealed at rest", async () => {
    const made = await create({ model: CLAUDE, input: "a telling word: zanzibar", store: false });
    expect(made.body["store"]).toBe(false);
    expect(readError(await send("GET", `/${readId(made)}`))).toEqual(NOT_FOUND);
    await create({ model: CLAUDE, input: "a telling word: zanzibar", stream: false });
    const kept = await withRedis(async (redis) => {
      const texts: string[] = [];
      for await (const keys of scanKeys(redis, "responses:*"))
        for (const name of keys)
          texts.push(
            ...(await redis.hvals(name).catch(() => [])),
            ...(await redis.lrange(name, 0, -1).catch(() => [])),
          );
      return texts;
    });
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((text) => text.includes("zanzibar"))).toEqual([]);
  });

  it("drops the oldest of a user whose space is used up", async () => {
    const { client } = await at.testSite.createUser(1_000_000_000);
    const { key: own } = await at.testSite.token({}, client);
    await at.testSite.root.put("/api/option/", { key: "StoredResponseUserMB", value: "1" });
    const large = "word ".repeat(60_000);
    const ids: string[] = [];
    await at.testSite.eventually("eviction", 60_000, async () => {
      ids.push(readId(await create({ model: CLAUDE, input: large }, own)));
      return (await send("GET", `/${ids[0]}`, undefined, own)).status === 404 || undefined;
    });
    expect((await send("GET", `/${ids.at(-1)}`, undefined, own)).status).toBe(200);
    await at.testSite.root.put("/api/option/", { key: "StoredResponseUserMB", value: "16" });
  });
});

describe("stream that is read again", () => {
  it.each(EVERY)("continues after any of its events: %s", async (model) => {
    at.upstream.next({}, { pieces: 12 });
    const events = await readEvents(await call("POST", "", { model, input: "x", stream: true }));
    const ended = events.at(-1)?.["response"] as Json | undefined;
    const id = String(ended?.["id"]);
    const numbers = events.map((event) => Number(event["sequence_number"]));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    for (const after of [-1, 0, 5, numbers.length - 2]) {
      const query = after < 0 ? "" : `&starting_after=${after}`;
      const again = await readEvents(await call("GET", `/${id}?stream=true${query}`));
      expect(again).toEqual(events.slice(after + 1));
    }
    expect(await send("GET", `/${id}?stream=true&starting_after=x`)).toMatchObject({
      status: 400,
      body: { error: { param: "starting_after" } },
    });
    expect(readError(await send("GET", `/${id}?stream=true`, undefined, strangersKey))).toEqual(NOT_FOUND);
  });
});

describe("background response", () => {
  it.each(EVERY)("is polled to its end, and charged once: %s", async (model) => {
    const name = `bg-${model.slice(0, 20)}`;
    const { key: own } = await at.testSite.token({ name });
    at.upstream.next({}, { pieces: 20, frameGapMs: 100, delayMs: 1_500 });
    const made = await create({ model, input: "x", background: true }, own);
    expect(made).toMatchObject({ status: 200, body: { status: "queued", background: true, store: true } });
    const id = readId(made);
    expect((await send("GET", `/${id}`)).body["status"]).toBe("in_progress");
    const early = { model, input: "y", previous_response_id: id };
    expect(await create(early)).toMatchObject({ status: 400, body: { error: { param: "previous_response_id" } } });
    const ended = await readEnd(id);
    expect(ended).toMatchObject({ id, status: "completed", background: true });
    expect(JSON.stringify(ended["output"])).toContain("w19");
    expect(await create({ model, input: "y", previous_response_id: id })).toMatchObject({
      status: 200,
      body: { previous_response_id: id },
    });
    const rows = await readRows(name);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.quota).toBeGreaterThan(0);
  });

  it.each(EVERY)("streams on after its client disconnected: %s", async (model) => {
    at.upstream.next({}, { pieces: 20, frameGapMs: 100 });
    const controller = new AbortController();
    const response = await fetch(`${at.world.relayUrl}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, input: "x", background: true, stream: true }),
      signal: controller.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    const id = /"id":"(resp_[0-9A-Z]{26})"/.exec(first)?.[1] ?? "";
    controller.abort();
    await reader.read().catch(() => undefined);
    const rest = await readEvents(await call("GET", `/${id}?stream=true&starting_after=1`));
    expect(rest[0]?.["sequence_number"]).toBe(2);
    expect(rest.at(-1)).toMatchObject({ type: "response.completed", response: { id } });
    expect(readText(rest)).toContain("w19");
    expect((await send("GET", `/${id}`)).body["status"]).toBe("completed");
  });

  it("is cancelled from any relay, and charged for what was generated", async () => {
    for (let each = 0; each < 4; each++) {
      const name = `cancelled-${each}`;
      const { key: own } = await at.testSite.token({ name });
      at.upstream.next({}, { pieces: 300, frameGapMs: 100 });
      const id = readId(await create({ model: CLAUDE, input: "x", background: true }, own));
      expect(await send("POST", `/${id}/cancel`)).toMatchObject({ status: 200, body: { id, status: "cancelled" } });
      expect((await readEnd(id))["status"]).toBe("cancelled");
      expect((await send("POST", `/${id}/cancel`)).body["status"]).toBe("cancelled");
      expect((await readRows(name)).length).toBe(1);
    }
  });

  it("fails with what upstream reported, charged nothing; a refusal before it begins is the response", async () => {
    const name = "failed-background";
    const { key: own } = await at.testSite.token({ name });
    at.upstream.always({}, { delayMs: 1_500, refuse: { status: 400, message: "this went wrong" } });
    const id = readId(await create({ model: CLAUDE, input: "x", background: true }, own));
    const failed = await readEnd(id);
    expect(failed).toMatchObject({ status: "failed", error: { message: expect.stringContaining("this went wrong") } });
    at.upstream.reset();
    at.upstream.always({}, { refuse: { status: 400, message: "at once" } });
    expect((await create({ model: CLAUDE, input: "x", background: true }, own)).status).toBe(400);
    expect(await readRows(name)).toEqual([]);
    expect(await create({ model: CLAUDE, input: "x", background: true, store: false })).toMatchObject({
      status: 400,
      body: { error: { param: "background" } },
    });
    expect(await create({ model: CLAUDE, input: "x", background: "yes" })).toMatchObject({ status: 400 });
  });

  it("runs once for one idempotency key", async () => {
    const name = "once-background";
    const { key: own } = await at.testSite.token({ name });
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${own}`,
      "idempotency-key": "background-1",
    };
    const body = JSON.stringify({ model: CLAUDE, input: "x", background: true });
    const url = `${at.world.relayUrl}/v1/responses`;
    const ids = new Set<string>();
    for (let each = 0; each < 3; each++) {
      const response = await fetch(url, { method: "POST", headers, body });
      ids.add(readId({ status: response.status, body: (await response.json()) as Json }));
    }
    expect(ids.size).toBe(1);
    expect((await readEnd([...ids][0] ?? ""))["status"]).toBe("completed");
    expect(await readRows(name)).toHaveLength(1);
  });
});
