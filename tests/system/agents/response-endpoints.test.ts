import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { startStatefulResponses, type StatefulResponses } from "../../lib/upstreams/stateful-responses.ts";
import { CompactObject } from "../../lib/open-responses-schema.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";
import { responsesCalls } from "../sdks/responses-calls.ts";

type Json = Record<string, unknown>;
type Received = { readonly status: number; readonly body: Json };

const MODEL = "stateful";
let world: World;
let accounts: StatefulResponses[];
let other: FakeUpstream;
let testSite: TestSite;
let key: string;
let strangersKey: string;

async function send(method: string, path: string, body?: Json, asKey = key): Promise<Received> {
  const response = await fetch(`${world.relayUrl}/v1/${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const readError = ({ status, body }: Received) => [status, (body["error"] as Json)?.["code"]];
const readItems = ({ body }: Received): Json[] => body["data"] as Json[];
const NOT_FOUND = [404, "not_found"];

beforeAll(async () => {
  accounts = await Promise.all(["a", "b"].map(startStatefulResponses));
  other = await startFakeUpstream();
  world = await startWorld({
    backing: testBacking(),
    relayWorkers: 2,
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false", GLOBAL_WEB_RATE_LIMIT_ENABLE: "false" },
  });
  testSite = await openTestSite(world, other.url);
  for (const [name, value] of [
    ["fallback_input_ratio", "1"],
    ["fallback_completion_ratio", "1"],
    ["fallback_pricing_enabled", "true"],
  ])
    await testSite.root.put("/api/option/", { key: name, value });
  const addChannel = (fields: Json) =>
    testSite.root.post("/api/channel/", { type: 1, key: "k", models: MODEL, group: "default", ...fields });
  for (const [at, { url }] of accounts.entries()) await addChannel({ name: `account-${at}`, base_url: url });
  await addChannel({ type: 14, name: "claude", base_url: other.url, models: "claude-other" });
  ({ key } = await testSite.token());
  const stranger = await testSite.createUser(1_000_000_000);
  ({ key: strangersKey } = await testSite.token({}, stranger.client));
  await testSite.eventually(
    "routing",
    20_000,
    async () => (await send("POST", "responses", { model: MODEL, input: "x" })).status === 200 || undefined,
  );
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all([...(accounts ?? []).map((account) => account.stop()), other?.stop()]);
});

describe("field of a wrong type", () => {
  const MODELS = [MODEL, "claude-other"];
  const items = [{ role: "user", content: 5 }];
  const paths = MODELS.flatMap((model) => [
    ...["responses", "responses/compact", "responses/input_tokens"].flatMap((path) => [
      [path, { model, input: 5 }, "input"] as const,
      [path, { model, input: items }, "input[0].content"] as const,
      [path, { model, input: "x", instructions: 5 }, "instructions"] as const,
      [path, { model, input: "x", previous_response_id: 5 }, "previous_response_id"] as const,
    ]),
    ["responses", { model, input: "x", store: "yes" }, "store"] as const,
  ]);

  it.each([
    ...paths,
    ["conversations", { items }, "items[0].content"] as const,
    ["conversations", { metadata: 5 }, "metadata"] as const,
  ])("is named, and reaches no provider: %s %j", async (path, body, param) => {
    const before = [...accounts.map(({ received }) => received.length), other.calls.length];
    const refused = await send("POST", path, body);
    expect(refused).toMatchObject({ status: 400, body: { error: { param, code: "invalid_request" } } });
    expect([...accounts.map(({ received }) => received.length), other.calls.length]).toEqual(before);
  });
});

describe("input token count", () => {
  it("comes from the account that keeps the response, under its own ids", async () => {
    for (let each = 0; each < 4; each++) {
      const { body } = await send("POST", "responses", { model: MODEL, input: "x" });
      const counted = { model: MODEL, input: "y", previous_response_id: body["id"] };
      expect(await send("POST", "responses/input_tokens", counted)).toMatchObject({
        status: 200,
        body: { object: "response.input_tokens", input_tokens: 42 },
      });
      expect(readError(await send("POST", "responses/input_tokens", counted, strangersKey))).toEqual([
        404,
        "previous_response_not_found",
      ]);
    }
  });

  it("is calculated here for models of other providers, and names the problem of a bad request", async () => {
    const { status, body } = await send("POST", "responses/input_tokens", {
      model: "claude-other",
      input: "How many tokens are these?",
    });
    expect([status, body["object"]]).toEqual([200, "response.input_tokens"]);
    expect(body["input_tokens"]).toBeGreaterThan(3);
    expect(body["input_tokens"]).toBeLessThan(20);
    expect(await send("POST", "responses/input_tokens", { input: "x" })).toMatchObject({
      status: 400,
      body: { error: { param: "model" } },
    });
    expect((await send("GET", "responses/input_tokens")).status).toBe(405);
  });
});

describe("compaction", () => {
  it("is sealed, charged once, and continued at its account", async () => {
    const compacted = await send("POST", "responses/compact", {
      model: MODEL,
      input: [{ role: "user", content: "x" }],
    });
    expect(compacted.status).toBe(200);
    CompactObject.parse(compacted.body);
    const [item] = compacted.body["output"] as Json[];
    expect(item?.["encrypted_content"]).toMatch(/^tps\./);
    expect(accounts.some((account) => account.knows(String(item?.["id"])))).toBe(false);
    const input = [item, { role: "user", content: "next" }];
    expect((await send("POST", "responses", { model: MODEL, input })).status).toBe(200);
    expect((await send("POST", "responses", { model: MODEL, input }, strangersKey)).status).toBe(404);
    await testSite.eventually("the charge", 10_000, async () => {
      const { items } = await testSite.logs({ type: 2, page_size: 100 });
      return items.filter((row) => row.prompt_tokens === 20).length === 1 || undefined;
    });
  });

  it("needs a model", async () => {
    const refused = await send("POST", "responses/compact", { input: "x" });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: "model" } } });
  });

  const CALL = { type: "function_call", call_id: "call_1", name: "read_file", arguments: '{"path":"a.txt"}' };
  const OUTPUT = { type: "function_call_output", call_id: "call_1", output: "nine lines" };
  const sentLast = (): string => JSON.stringify(other.calls.at(-1)?.body);

  /** A compaction by a model of another provider; its encrypted item. */
  const summarise = async (summary: string, input: unknown): Promise<Json> => {
    other.next({}, { text: summary });
    const { status, body } = await send("POST", "responses/compact", { model: "claude-other", input });
    expect(status).toBe(200);
    const [item] = CompactObject.parse(body).output;
    return item as Json;
  };

  it("is a summary of the model where the provider has none, charged once", async () => {
    const before = (await testSite.logs({ type: 2, page_size: 100 })).items.length;
    const calls = other.calls.length;
    const input = [{ role: "user", content: "Read a.txt." }, CALL, OUTPUT, { role: "user", content: "Now b.txt." }];
    const item = await summarise("a.txt was read, b.txt is next.", input);
    expect(JSON.stringify(item)).not.toContain("b.txt");
    expect(other.calls.length).toBe(calls + 1);
    expect(sentLast()).toMatch(/Read a\.txt.*read_file.*nine lines.*Now b\.txt/);
    expect(sentLast()).not.toMatch(/"tool_use"|"tools"/);
    await testSite.eventually("the charge", 10_000, async () => {
      const { items } = await testSite.logs({ type: 2, page_size: 100 });
      return items.length === before + 1 || undefined;
    });
  });

  it("is read by every channel, compacted again, and counted", async () => {
    const item = await summarise("The answer is teal.", [{ role: "user", content: "x" }]);
    const input = [item, { role: "user", content: "Which answer?" }];
    for (const model of ["claude-other", MODEL])
      expect((await send("POST", "responses", { model, input })).status).toBe(200);
    expect((await send("POST", "responses/input_tokens", { model: "claude-other", input })).status).toBe(200);
    const again = await summarise("Still teal.", input);
    expect(sentLast()).toMatch(/The answer is teal.*Which answer/);
    const kept = await send("POST", "responses", { model: "claude-other", input: [again] });
    const continued = { model: "claude-other", previous_response_id: kept.body["id"], input: "And?" };
    expect((await send("POST", "responses", continued)).status).toBe(200);
    expect(sentLast()).toContain("Still teal.");
  });

  it("is not found by another user, or when it was altered, whichever channel serves", async () => {
    const item = await summarise("A secret.", [{ role: "user", content: "x" }]);
    const text = String(item["encrypted_content"]);
    const lost = [404, "previous_response_not_found"];
    const middle = Math.floor(text.length / 2);
    const flipped = `${text.slice(0, middle)}${text[middle] === "A" ? "B" : "A"}${text.slice(middle + 1)}`;
    for (const model of ["claude-other", MODEL]) {
      expect(readError(await send("POST", "responses", { model, input: [item] }, strangersKey))).toEqual(lost);
      for (const forged of [text.slice(0, -2), flipped, `tpc.${"A".repeat(40)}`])
        expect(
          readError(await send("POST", "responses", { model, input: [{ ...item, encrypted_content: forged }] })),
        ).toEqual(lost);
    }
  });

  it("fails by name where the model returns no summary", async () => {
    other.next({}, { text: "" });
    const { status } = await send("POST", "responses/compact", { model: "claude-other", input: "x" });
    expect(status).toBe(502);
  });
});

describe("conversation", () => {
  it("is made, used, changed and deleted at its account, with the ids that the caller knows", async () => {
    for (let each = 0; each < 4; each++) {
      const items = [{ type: "message", role: "user", content: "first" }];
      const made = await send("POST", `conversations?model=${MODEL}`, { items, metadata: { topic: "a" } });
      expect(made).toMatchObject({ status: 200, body: { object: "conversation", metadata: { topic: "a" } } });
      const id = String(made.body["id"]);
      expect(accounts.some((account) => account.knows(id))).toBe(false);
      expect(await send("POST", "responses", { model: MODEL, input: "x", conversation: id })).toMatchObject({
        status: 200,
      });
      expect(await send("POST", `conversations/${id}`, { metadata: { topic: "b" } })).toMatchObject({ body: { id } });
      expect((await send("GET", `conversations/${id}`)).body).toMatchObject({ id, metadata: { topic: "b" } });
      const added = await send("POST", `conversations/${id}/items`, { items });
      const item = String(readItems(added)[0]?.["id"]);
      expect((await send("GET", `conversations/${id}/items?limit=5`)).body["data"]).toHaveLength(2);
      expect(await send("GET", `conversations/${id}/items/${item}`)).toMatchObject({ status: 200, body: { id: item } });
      expect(await send("DELETE", `conversations/${id}/items/${item}`)).toMatchObject({ status: 200, body: { id } });
      expect(readError(await send("GET", `conversations/${id}/items/${item}`))).toEqual(NOT_FOUND);
      expect(await send("DELETE", `conversations/${id}`)).toMatchObject({ body: { id, deleted: true } });
      expect(readError(await send("GET", `conversations/${id}`))).toEqual(NOT_FOUND);
    }
  });

  it("is made without a model at an account that has the API, although others refuse or fail", async () => {
    const addChannel = (name: string, url: string) =>
      testSite.root.post("/api/channel/", { type: 1, key: "k", models: name, group: "default", name, base_url: url });
    const refusing = createServer((_, response) => response.writeHead(400).end('{"error":{"message":"no such API"}}'));
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    await addChannel("refusing", `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`);
    await addChannel("gone", "http://127.0.0.1:1");
    const models = async () => JSON.stringify((await send("GET", "models")).body);
    await testSite.eventually("routing", 20_000, async () => (await models()).includes("refusing") || undefined);
    for (let each = 0; each < 12; each++) {
      const made = await send("POST", "conversations", {});
      expect(made).toMatchObject({ status: 200, body: { object: "conversation" } });
    }
    expect(await send("POST", "conversations?model=refusing", {})).toMatchObject({ status: 400 });
    expect((await send("POST", "conversations?model=gone", {})).status).toBeGreaterThanOrEqual(500);
    refusing.close();
  });

  it("is not found by another user or by a forged id, all alike; other methods are named", async () => {
    const id = String((await send("POST", `conversations?model=${MODEL}`, {})).body["id"]);
    for (const [method, path] of [
      ["GET", id],
      ["DELETE", id],
      ["POST", id],
      ["GET", `${id}/items`],
      ["POST", `${id}/items`],
    ] as const) {
      const body = method === "POST" ? {} : undefined;
      expect(readError(await send(method, `conversations/${path}`, body, strangersKey))).toEqual(NOT_FOUND);
      const forged = path.replace(id, `${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`);
      expect(readError(await send(method, `conversations/${forged}`, body))).toEqual(NOT_FOUND);
    }
    expect((await send("GET", "conversations")).status).toBe(405);
    expect(await send("POST", `conversations?model=${MODEL}`, { items: 5 })).toMatchObject({
      status: 400,
      body: { error: { param: "items" } },
    });
    expect(readError(await send("POST", "conversations?model=nobody", {}))).toEqual([404, "model_not_found"]);
    const used = { model: "claude-other", input: "x", conversation: id };
    expect(await send("POST", "responses", used)).toMatchObject({
      status: 404,
      body: { error: { param: "conversation", message: expect.stringContaining("?model=") } },
    });
    expect(readError(await send("POST", "responses", used, strangersKey))).toEqual(NOT_FOUND);
    expect((await send("GET", `conversations/${id}`)).status).toBe(200);
  });
});

describe("responses and conversations, by OpenAI's client", () => {
  responsesCalls({
    url: () => world.relayUrl,
    key: () => key,
    openaiModel: MODEL,
    otherModel: "claude-other",
    next: (scenario) => other.next({}, scenario),
  });
});
