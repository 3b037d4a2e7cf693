import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startFakeUpstream, type FakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startStatefulResponses, type StatefulResponses } from "../../lib/upstreams/stateful-responses.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Json = Record<string, unknown>;
type Received = { readonly status: number; readonly body: Json };

const MODEL = "stateful";
const TURNS = 5;
const CONVERSATIONS = 20;
let world: World;
let accounts: StatefulResponses[];
let other: FakeUpstream;
let testSite: TestSite;
let key: string;

const addChannel = (fields: Json) =>
  testSite.root.post("/api/channel/", { type: 1, key: "k", models: MODEL, group: "default", ...fields });

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
  for (const [at, { url }] of accounts.entries()) await addChannel({ name: `account-${at}`, base_url: url });
  await addChannel({ type: 14, name: "claude", base_url: other.url, models: "claude-other" });
  ({ key } = await testSite.token());
  await testSite.eventually(
    "routing",
    20_000,
    async () => (await createResponse({ input: "x" })).status === 200 || undefined,
  );
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all([...(accounts ?? []).map((account) => account.stop()), other?.stop()]);
});

/** The response object of a call, taken from the last event of a stream. */
async function createResponse(body: Json, asKey = key): Promise<Received> {
  const response = await fetch(`${world.relayUrl}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}` },
    body: JSON.stringify({ model: MODEL, ...body }),
  });
  const text = await response.text();
  if (!text.startsWith("event:")) return { status: response.status, body: JSON.parse(text) as Json };
  const events = text
    .trim()
    .split("\n\n")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Json);
  const last = events.at(-1)?.["response"] as Json;
  // Every event names the items by the ids of the final response.
  const ids = new Set([undefined, ...(last["output"] as Json[]).map(({ id }) => id)]);
  expect(events.filter(({ item_id: id }) => !ids.has(id))).toEqual([]);
  return { status: response.status, body: last };
}

const readOutput = ({ body }: Received): Json[] => body["output"] as Json[];
const readError = ({ status, body }: Received) => [status, (body["error"] as Json)?.["code"]];
const refer = (id: unknown) => [
  { type: "item_reference", id },
  { role: "user", content: "next" },
];
const NOT_FOUND = [404, "previous_response_not_found"];

/** The account that served a call, by its text. */
const servedBy = (response: Received): string => {
  const [part] = (readOutput(response)[1]?.["content"] ?? []) as Json[];
  return String(part?.["text"]);
};

describe("state of a conversation", () => {
  it.each([false, true])(
    "is found by previous_response_id in every turn, over two relays (stream: %s)",
    async (stream) => {
      const run = async (): Promise<string[]> => {
        let previous: unknown;
        const served: string[] = [];
        for (let turn = 0; turn < TURNS; turn++) {
          const last = await createResponse({
            input: "x",
            stream,
            ...(previous ? { previous_response_id: previous } : {}),
          });
          expect([last.status, last.body["error"] ?? null]).toEqual([200, null]);
          expect(last.body["previous_response_id"] ?? undefined).toBe(previous);
          previous = last.body["id"];
          served.push(servedBy(last));
        }
        return served;
      };
      const all = await Promise.all(Array.from({ length: CONVERSATIONS }, run));
      expect(all.filter((served) => new Set(served).size > 1)).toEqual([]);
      expect(new Set(all.flat()).size).toBe(2);
    },
  );

  it("is found by encrypted reasoning that the caller sends back with all items", async () => {
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      let input: Json[] = [{ role: "user", content: "x" }];
      for (let turn = 0; turn < 3; turn++) {
        const response = await createResponse({ input, store: false });
        expect(response).toMatchObject({ status: 200 });
        input = [...input, ...readOutput(response), { role: "user", content: "next" }];
      }
    }
  });

  it("is found by item references, and accounts see their own ids only", async () => {
    const first = await createResponse({ input: "x" });
    expect(await createResponse({ input: refer(readOutput(first)[1]?.["id"]) })).toMatchObject({ status: 200 });
    const ids = [first.body["id"], ...readOutput(first).map(({ id }) => id)].map(String);
    expect(ids.map((id) => id.split("_")[0])).toEqual(["resp", "rs", "msg"]);
    expect(ids.filter((id) => id.length > 90 || accounts.some((account) => account.knows(id)))).toEqual([]);
  });

  it("stays with its account when that fails for a moment: it is tried again, and no other account", async () => {
    const first = await createResponse({ input: "x" });
    for (const { state } of accounts) state.failNext = 1;
    const next = await createResponse({ input: "x", previous_response_id: first.body["id"] });
    expect([next.status, servedBy(next)]).toEqual([200, servedBy(first)]);
    expect(accounts.filter(({ state }) => state.failNext === 1)).toHaveLength(1);
    for (const { state } of accounts) state.failNext = 100;
    const failed = await createResponse({ input: "x", previous_response_id: next.body["id"] });
    expect(failed.status).toBe(500);
    expect(accounts.filter(({ state }) => state.failNext === 100)).toHaveLength(1);
    for (const { state } of accounts) state.failNext = 0;
  });
});

describe("stored response", () => {
  const send = async (method: string, path: string, asKey = key): Promise<Received> => {
    const headers = { authorization: `Bearer ${asKey}` };
    const response = await fetch(`${world.relayUrl}/v1/responses/${path}`, { method, headers });
    return { status: response.status, body: (await response.json()) as Json };
  };

  it("is read, cancelled and deleted at its account, with the ids that the caller knows", async () => {
    for (let each = 0; each < 6; each++) {
      const first = await createResponse({ input: "x" });
      const id = String(first.body["id"]);
      expect(await send("GET", id)).toEqual({ status: 200, body: first.body });
      const item = readOutput(first)[1]?.["id"];
      expect(await send("GET", `${id}/input_items?limit=5`)).toMatchObject({
        status: 200,
        body: { data: [{ id: item }], first_id: item, last_id: item },
      });
      expect((await send("GET", `${id}/input_items?after=${String(item)}`)).body["data"]).toEqual([]);
      expect(await send("POST", `${id}/cancel`)).toMatchObject({ status: 200, body: { id, status: "cancelled" } });
      expect(await send("DELETE", id)).toEqual({
        status: 200,
        body: { id, object: "response.deleted", deleted: true },
      });
      expect((await send("GET", id)).status).toBe(404);
    }
  });

  it("runs in the background as a stream of the relay, and is continued at its account", async () => {
    for (let each = 0; each < 4; each++) {
      const made = await createResponse({ input: "x", background: true });
      expect(made).toMatchObject({ status: 200, body: { status: "queued" } });
      const id = String(made.body["id"]);
      const isEnded = async () => (await send("GET", id)).body["status"] === "completed" || undefined;
      await testSite.eventually("the end", 10_000, isEnded);
      const sent = accounts.flatMap(({ received }) => received).filter(({ background }) => background !== undefined);
      expect(sent).toEqual([]);
      const next = await createResponse({ input: "x", previous_response_id: id });
      expect(next).toMatchObject({ status: 200, body: { previous_response_id: id } });
    }
  });

  it("is not found by another user, or by an id that is forged; a parameter that cannot be served is named", async () => {
    const id = String((await createResponse({ input: "x" })).body["id"]);
    const stranger = await testSite.createUser(1_000_000_000);
    const { key: strangersKey } = await testSite.token({}, stranger.client);
    for (const [method, path] of [
      ["GET", id],
      ["DELETE", id],
      ["POST", `${id}/cancel`],
      ["GET", `${id}/input_items`],
    ] as const) {
      expect(readError(await send(method, path, strangersKey))).toEqual([404, "not_found"]);
      expect(readError(await send(method, path.replace(id, `${id}A`)))).toEqual([404, "not_found"]);
    }
    expect(await send("GET", `${id}?stream=true`)).toMatchObject({ status: 404, body: { error: { param: "stream" } } });
    expect(readError(await send("GET", `${id}/input_items?after=msg_1`))).toEqual([404, "not_found"]);
    expect((await send("GET", id)).status).toBe(200);
    expect((await send("GET", id, "sk-nobody")).status).toBe(401);
  });
});

describe("id that a caller may not use", () => {
  it("is not found, all alike: of another user, forged, truncated, raw, or of this gateway", async () => {
    const first = await createResponse({ input: "x" });
    const [id, message] = [String(first.body["id"]), String(readOutput(first)[1]?.["id"])];
    const stranger = await testSite.createUser(1_000_000_000);
    const { key: strangersKey } = await testSite.token({}, stranger.client);
    const forged = id.slice(0, -1) + (id.endsWith("A") ? "B" : "A");
    const raw = `resp_${"0a".repeat(25)}`;
    const requests = [
      createResponse({ input: "x", previous_response_id: id }, strangersKey),
      ...[forged, id.slice(0, 40), raw, `resp_${"0".repeat(26)}`, "x"].map((previous_response_id) =>
        createResponse({ input: "x", previous_response_id }),
      ),
      createResponse({ input: refer(message) }, strangersKey),
      createResponse({ input: refer(`${message}A`) }),
    ];
    const responses = await Promise.all(requests);
    expect(responses.map(readError)).toEqual(requests.map(() => NOT_FOUND));
    const messages = responses.map(({ body }) =>
      String((body["error"] as Json)["message"]).replace(/ \(request id.*/, ""),
    );
    expect(new Set(messages.slice(0, 6)).size).toBe(1);
  });

  it("does not open another user's encrypted reasoning, nor altered one", async () => {
    const [reasoning] = readOutput(await createResponse({ input: "x" }));
    const { id: _id, ...item } = reasoning ?? {};
    const stranger = await testSite.createUser(1_000_000_000);
    const { key: strangersKey } = await testSite.token({}, stranger.client);
    const input = [item, { role: "user", content: "x" }];
    expect(readError(await createResponse({ input }, strangersKey))).toEqual(NOT_FOUND);
    const altered = [{ ...item, encrypted_content: `${String(item["encrypted_content"])}A` }, input[1]];
    expect(readError(await createResponse({ input: altered }))).toEqual(NOT_FOUND);
    expect(await createResponse({ input })).toMatchObject({ status: 200 });
  });
});

describe("resource that a caller may not use", () => {
  it("is not found before any account gets a request: conversations, containers and files", async () => {
    const received = accounts.map((account) => account.received.length);
    const requests = [
      { conversation: "conv_1" },
      { tools: [{ type: "code_interpreter", container: "cntr_1" }] },
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
    ];
    for (const body of requests)
      expect(readError(await createResponse({ input: "x", ...body }))).toEqual([404, "not_found"]);
    expect(accounts.map((account) => account.received.length)).toEqual(received);
  });

  it("reaches the provider where operators make it: vector stores and stored prompts", async () => {
    for (const body of [
      { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] },
      { prompt: { id: "pmpt_1" } },
    ]) {
      expect((await createResponse({ input: "x", ...body })).status).toBe(200);
      const sent = accounts.map(({ received }) => received.at(-1)).map((last) => JSON.stringify(last));
      expect(sent.some((text) => /"(vs|pmpt)_1"/.test(text))).toBe(true);
    }
  });

  it.each(["previous_response_id", "conversation", "prompt"])(
    "is 400 with its name if it is no id: %s",
    async (name) => {
      expect(await createResponse({ input: "x", [name]: 5 })).toMatchObject({
        status: 400,
        body: { error: { param: name } },
      });
    },
  );
});

describe("conversation that moves", () => {
  it("drops encrypted reasoning when it changes to a model that cannot read it", async () => {
    const first = await createResponse({ input: "x" });
    const input = [{ role: "user", content: "x" }, ...readOutput(first), { role: "user", content: "next" }];
    expect(await createResponse({ model: "claude-other", input })).toMatchObject({ status: 200 });
    const previous = { model: "claude-other", input: "x", previous_response_id: first.body["id"] };
    expect(readError(await createResponse(previous))).toEqual(NOT_FOUND);
  });

  it("is not found after its account was switched off; StateLostPolicy strip goes on without its reasoning", async () => {
    const channels = await testSite.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
    const firsts = await Promise.all(Array.from({ length: 12 }, () => createResponse({ input: "x" })));
    const lost = firsts.find((response) => servedBy(response) === "From a");
    if (!lost) throw new Error("no call was served by the first account");
    const id = channels.find(({ name }) => name === "account-0")?.id;
    await testSite.root.put("/api/channel/", { id, status: 2 });
    const withPrevious = { input: "x", previous_response_id: lost.body["id"] };
    const isOff = async () => (await createResponse(withPrevious)).status === 404 || undefined;
    await testSite.eventually("switched off", 20_000, isOff);
    expect(readError(await createResponse(withPrevious))).toEqual(NOT_FOUND);
    const input = [{ role: "user", content: "x" }, ...readOutput(lost), { role: "user", content: "next" }];
    expect(readError(await createResponse({ input }))).toEqual(NOT_FOUND);
    await testSite.root.put("/api/option/", { key: "StateLostPolicy", value: "strip" });
    await testSite.eventually(
      "stripped",
      20_000,
      async () => (await createResponse({ input })).status === 200 || undefined,
    );
    expect(readError(await createResponse(withPrevious))).toEqual(NOT_FOUND);
  });
});
