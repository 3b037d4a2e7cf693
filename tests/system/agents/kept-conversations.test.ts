import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;
type Received = { readonly status: number; readonly body: Json };

const CLAUDE = "claude-3-5-sonnet-20241022";
const MODELS = [CLAUDE, "gemini-2.0-flash", "gpt-4o-mini"];
const NOT_FOUND = [404, "not_found"];
const at = useTestSite({
  relayWorkers: 2,
  env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false", GLOBAL_WEB_RATE_LIMIT_ENABLE: "false" },
});
let key: string;
let strangersKey: string;

async function call(method: string, path: string, body?: Json, asKey = key): Promise<Received> {
  const response = await fetch(`${at.world.relayUrl}/v1/${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!text.startsWith("event:")) return { status: response.status, body: JSON.parse(text) as Json };
  const last = text.trim().split("\n\n").at(-1) ?? "";
  const event = JSON.parse(last.slice(last.indexOf("data: ") + 6)) as Json;
  return { status: response.status, body: event["response"] as Json };
}
const readError = ({ status, body }: Received) => [status, (body["error"] as Json)?.["code"]];
const readText = (item: Json): unknown => (item["content"] as Json[])[0]?.["text"];
const sentLast = (): string => JSON.stringify(at.upstream.calls.at(-1)?.body);

async function make(items: readonly Json[] = []): Promise<string> {
  const made = await call("POST", `conversations?model=${CLAUDE}`, { items, metadata: { topic: "a" } });
  expect(made).toMatchObject({ status: 200, body: { object: "conversation", metadata: { topic: "a" } } });
  return String(made.body["id"]);
}

async function list(id: string, query = "?order=asc&limit=100"): Promise<Json[]> {
  const { status, body } = await call("GET", `conversations/${id}/items${query}`);
  expect(status).toBe(200);
  return body["data"] as Json[];
}

beforeAll(async () => {
  ({ key } = await at.testSite.token());
  const stranger = await at.testSite.createUser(1_000_000_000);
  ({ key: strangersKey } = await at.testSite.token({}, stranger.client));
  for (const model of MODELS)
    await at.testSite.eventually(
      model,
      20_000,
      async () => (await call("POST", "responses", { model, input: "x" })).status === 200 || undefined,
    );
}, 120_000);

/** The reasoning of the upstream, which Claude requires back before the result of a tool. */
const SIGNED = '{"type":"thinking","thinking":"Sun or rain?","signature":"c2lnbmF0dXJl"}';

describe("state that Turnpike keeps", () => {
  it.each(
    ["previous_response_id", "conversation"].flatMap((kept) =>
      [false, true].flatMap((stream) =>
        [[], ["reasoning.encrypted_content"]].map((include) => [kept, stream, include] as const),
      ),
    ),
  )("returns signed reasoning to its provider: by %s, streamed: %s, %j", async (kept, stream, include) => {
    const tools = [{ type: "function", name: "weather", parameters: { type: "object", properties: {} } }];
    const common = { model: CLAUDE, tools, stream, include, reasoning: { effort: "low" } };
    const conversation = kept === "conversation" ? { conversation: await make() } : {};
    at.upstream.next({}, { reasoning: "Sun or rain?", text: "", toolCalls: [{ name: "weather", arguments: {} }] });
    const { body } = await call("POST", "responses", { ...common, ...conversation, input: "Weather?" });
    const output = body["output"] as Json[];
    // Its client gets it encrypted only where it was requested.
    expect(output.some((item) => "encrypted_content" in item)).toBe(include.length > 0);
    const callId = output.find(({ type }) => type === "function_call")?.["call_id"];
    const input = [{ type: "function_call_output", call_id: callId, output: "sun" }];
    const state = kept === "conversation" ? conversation : { previous_response_id: body["id"] };
    expect((await call("POST", "responses", { ...common, ...state, input })).status).toBe(200);
    expect(sentLast().split(SIGNED)).toHaveLength(2);
    expect(sentLast().indexOf(SIGNED)).toBeLessThan(sentLast().indexOf("tool_use"));
  });
});

describe("conversation of a provider that keeps none", () => {
  it.each(MODELS.flatMap((model) => [false, true].map((stream) => [model, stream] as const)))(
    "grows by each response: %s, streamed: %s",
    async (model, stream) => {
      const id = await make([{ role: "user", content: "I am Eve." }]);
      for (const [turn, store] of [true, false, true].entries()) {
        at.upstream.reset();
        at.upstream.next({}, { text: `answer ${turn}` });
        const body = { model, input: `question ${turn}`, conversation: turn === 1 ? { id } : id, stream, store };
        expect(await call("POST", "responses", body)).toMatchObject({
          status: 200,
          body: { status: "completed", conversation: { id } },
        });
        expect(sentLast()).toContain("I am Eve.");
        for (let said = 0; said < turn; said++) expect(sentLast()).toMatch(`question ${said}`);
        expect(sentLast()).not.toContain(id);
        // At once, at any relay: the response is part of the conversation when its client has it.
        expect((await list(id)).slice(-2).map(readText)).toEqual([`question ${turn}`, `answer ${turn}`]);
      }
      expect(await list(id)).toHaveLength(7);
    },
  );

  it("is continued by every model, in the background as well, and counted", async () => {
    const id = await make();
    for (const model of MODELS) await call("POST", "responses", { model, input: `to ${model}`, conversation: id });
    const run = { model: CLAUDE, input: "later", conversation: id, background: true };
    const { body } = await call("POST", "responses", run);
    expect(body).toMatchObject({ status: "queued", conversation: { id } });
    const path = `responses/${String(body["id"])}`;
    await expect.poll(async () => (await call("GET", path)).body["status"], { timeout: 20_000 }).toBe("completed");
    expect((await call("GET", path)).body["conversation"]).toEqual({ id });
    expect((await list(id)).map(readText).filter((_, index) => index % 2 === 0)).toEqual([
      ...MODELS.map((model) => `to ${model}`),
      "later",
    ]);
    const counts = [{ conversation: id }, {}].map((fields) =>
      call("POST", "responses/input_tokens", { model: CLAUDE, input: "x", ...fields }),
    );
    const [whole = 0, alone = 0] = (await Promise.all(counts)).map(({ body: count }) => Number(count["input_tokens"]));
    expect(whole).toBeGreaterThan(alone);
  });

  it("lists, pages, returns and deletes its items", async () => {
    const id = await make(["one", "two", "three"].map((content) => ({ role: "user", content })));
    expect((await list(id, "")).map(readText)).toEqual(["three", "two", "one"]);
    const [first, second] = await list(id, "?order=asc&limit=2");
    expect(await call("GET", `conversations/${id}/items?order=asc&after=${String(second?.["id"])}`)).toMatchObject({
      body: { has_more: false, data: [{ type: "message", status: "completed", content: [{ type: "input_text" }] }] },
    });
    const path = `conversations/${id}/items/${String(first?.["id"])}`;
    expect((await call("GET", path)).body).toEqual(first);
    expect((await call("DELETE", path)).body).toMatchObject({ id, object: "conversation" });
    expect(readError(await call("GET", path))).toEqual(NOT_FOUND);
    expect(await list(id)).toHaveLength(2);
    expect((await call("POST", `conversations/${id}`, { metadata: { topic: "b" } })).body["metadata"]).toEqual({
      topic: "b",
    });
  });

  it("loses no items that are added at the same time at both relays", async () => {
    const id = await make();
    const texts = Array.from({ length: 20 }, (_, index) => `item ${index}`);
    const added = texts.map((content) =>
      call("POST", `conversations/${id}/items`, { items: [{ role: "user", content }] }),
    );
    expect((await Promise.all(added)).map(({ status }) => status)).toEqual(texts.map(() => 200));
    const kept = (await list(id)).map(readText);
    expect(kept).toHaveLength(texts.length);
    expect(new Set(kept)).toEqual(new Set(texts));
  });

  it("stays as it was when a response fails, or continues another response as well", async () => {
    const id = await make([{ role: "user", content: "I am Eve." }]);
    at.upstream.always({}, { refuse: { status: 400, message: "this went wrong" } });
    expect((await call("POST", "responses", { model: CLAUDE, input: "x", conversation: id })).status).toBe(400);
    const both = { model: CLAUDE, input: "x", conversation: id, previous_response_id: "resp_x" };
    expect(await call("POST", "responses", both)).toMatchObject({
      status: 400,
      body: { error: { param: "previous_response_id" } },
    });
    expect(await list(id)).toHaveLength(1);
  });

  it("is not found by another user, by an altered id, or once it is deleted, all alike", async () => {
    const id = await make([{ role: "user", content: "secret" }]);
    const requests = (name: string): readonly (readonly [string, string, Json?])[] => [
      ["GET", `conversations/${name}`],
      ["POST", `conversations/${name}`, { metadata: {} }],
      ["GET", `conversations/${name}/items`],
      ["POST", `conversations/${name}/items`, { items: [] }],
      ["GET", `conversations/${name}/items/msg_x`],
      ["POST", "responses", { model: CLAUDE, input: "x", conversation: name }],
      ["DELETE", `conversations/${name}`],
    ];
    const altered = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
    for (const [method, path, body] of requests(id))
      expect(readError(await call(method, path, body, strangersKey))).toEqual(NOT_FOUND);
    for (const name of [altered, id.slice(0, -2)])
      for (const [method, path, body] of requests(name))
        expect(readError(await call(method, path, body))).toEqual(NOT_FOUND);
    expect(await call("DELETE", `conversations/${id}`)).toEqual({
      status: 200,
      body: { id, object: "conversation.deleted", deleted: true },
    });
    for (const [method, path, body] of requests(id))
      expect(readError(await call(method, path, body))).toEqual(NOT_FOUND);
  });

  it.each(["x-session-id", "session-id", "x-litellm-session-id"])(
    "is refused with a %s that is too long, as its responses are",
    async (name) => {
      const id = await make();
      const requests = [
        ["POST", "conversations"],
        ["GET", `conversations/${id}`],
        ["POST", `conversations/${id}/items`],
        ["GET", "responses/resp_x"],
        ["POST", "responses"],
      ] as const;
      for (const [method, path] of requests) {
        const response = await fetch(`${at.world.relayUrl}/v1/${path}`, {
          method,
          headers: { "content-type": "application/json", authorization: `Bearer ${key}`, [name]: "s".repeat(257) },
          ...(method === "POST" ? { body: JSON.stringify({ model: CLAUDE, input: "x", items: [] }) } : {}),
        });
        expect([path, response.status, await response.json()]).toMatchObject([path, 400, { error: { param: name } }]);
      }
    },
  );

  it("is not made where nothing is stored", async () => {
    await at.testSite.root.put("/api/option/", { key: "StoredResponseSeconds", value: "0" });
    const made = await at.testSite.eventually("the option", 20_000, async () => {
      const response = await call("POST", `conversations?model=${CLAUDE}`, {});
      return response.status === 200 ? undefined : response;
    });
    expect(made.status).toBe(501);
  });
});
