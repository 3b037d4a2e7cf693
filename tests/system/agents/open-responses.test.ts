import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { CompactObject, ResponseObject, SocketError, StreamingEvent } from "../../lib/open-responses-schema.ts";
import { openResponsesSocket, type ResponsesSocket, type SocketTurn } from "../../lib/responses-socket-client.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

/**
 * The compliance cases of the Open Responses project (openresponses/openresponses), with requests of our own, against a channel
 * of each kind. Its case without a request checks only its own schema: see `OPENAI_PHASES`.
 */
const KINDS = [
  ["OpenAI", 1, "gpt-4o-mini"],
  ["Claude", 14, "claude-3-5-sonnet-20241022"],
  ["Gemini", 24, "gemini-2.0-flash"],
] as const;

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key: string;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  for (const [name, type, models] of KINDS)
    await testSite.root.post("/api/channel/", {
      type,
      name,
      key: "k",
      base_url: upstream.url,
      models,
      group: "default",
    });
  ({ key } = await testSite.token());
  for (const [, , model] of KINDS)
    await testSite.eventually("routing", 20_000, async () => (await post({ model, input: "x" })).ok || undefined);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const post = (body: object, path = "responses"): Promise<Response> =>
  fetch(`${world.relayUrl}/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

const compact = (body: object): Promise<Response> => post(body, "responses/compact");
/** OpenAI's account compacts by itself; models of other channels write the summary. */
async function compactTo(model: string, summary: string, input: unknown): Promise<z.output<typeof CompactObject>> {
  upstream.next({}, { text: summary });
  const response = await compact({ model, input });
  expect(response.status).toBe(200);
  return CompactObject.parse(await response.json());
}

async function respond(body: object): Promise<z.output<typeof ResponseObject>> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return ResponseObject.parse(await response.json());
}

const completed = { status: "completed", error: null, incomplete_details: null };
const user = (content: unknown) => ({ type: "message", role: "user", content });
const assistant = (content: string, fields: object = {}) => ({
  type: "message",
  role: "assistant",
  content,
  ...fields,
});
/** One white pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/x8AAwMCAO+/pq0AAAAASUVORK5CYII=";
const TOOL = {
  type: "function",
  name: "get_time",
  description: "Returns the time of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** Every event of a turn is as the specification has it; errors are checked apart. */
function checkEvents({ events, response }: SocketTurn): void {
  for (const event of events) StreamingEvent.parse(event);
  expect(ResponseObject.parse(response)).toMatchObject(completed);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
}

function checkError({ events }: SocketTurn, code: string): void {
  expect(events).toHaveLength(1);
  expect(SocketError.parse(events[0]).error.code).toBe(code);
}

describe.each(KINDS)("Open Responses over a channel of %s", (_, __, model) => {
  it("responds to a message", async () => {
    upstream.next({}, { text: "Good day to you" });
    const response = await respond({ model, input: [user("Greet me in four words.")] });
    expect(response).toMatchObject({ ...completed, output: [{ type: "message", role: "assistant" }] });
    expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
  });

  it("takes messages of the assistant with a phase", async () => {
    const input = [
      assistant("I look up the result first.", { phase: "commentary" }),
      assistant("It is seven.", { phase: "final_answer" }),
      user("Only the number, please."),
    ];
    expect(await respond({ model, input })).toMatchObject(completed);
  });

  it("streams events of the specified form", async () => {
    upstream.next({}, { text: "1 2 3" });
    const response = await post({ model, input: [user("Count to three.")], stream: true });
    const data = (await response.text())
      .split("\n")
      .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
    const events = data.map((line) => StreamingEvent.parse(JSON.parse(line)));
    expect(events[0]?.type).toBe("response.created");
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: completed });
  });

  it("takes a system message", async () => {
    const input = [{ type: "message", role: "system", content: "Speak like a sailor." }, user("Greet me.")];
    expect(await respond({ model, input })).toMatchObject(completed);
  });

  it("returns a function call", async () => {
    upstream.next({}, { text: "", toolCalls: [{ name: "get_time", arguments: { city: "Bern" } }] });
    const { output } = await respond({ model, input: [user("What time is it in Bern?")], tools: [TOOL] });
    expect(output).toContainEqual(expect.objectContaining({ type: "function_call", name: "get_time" }));
  });

  it("takes an image", async () => {
    const content = [
      { type: "input_text", text: "Which colour is this?" },
      { type: "input_image", image_url: PIXEL },
    ];
    expect(await respond({ model, input: [user(content)] })).toMatchObject(completed);
  });

  it("takes a conversation of several turns", async () => {
    const input = [user("I am called Eve."), assistant("Pleased to meet you, Eve."), user("What am I called?")];
    expect(await respond({ model, input })).toMatchObject(completed);
  });

  it("compacts a conversation", async () => {
    const input = [user("We meet on Friday."), assistant("Friday it is.")];
    const { output } = await compactTo(model, "They meet on Friday.", input);
    expect(output).toMatchObject([{ type: "compaction", encrypted_content: expect.stringMatching(/^tp[cs]\./) }]);
  });

  it("refuses a compaction without a model", async () => {
    const refused = await compact({ input: [user("Compact this.")] });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: "model" } }]);
  });
});

describe("compaction at a channel of OpenAI's type", () => {
  const model = "without-compaction";
  const input = [user("We meet on Friday."), assistant("Friday it is.")];

  beforeAll(async () => {
    const channel = { type: 1, name: model, key: "k", base_url: upstream.url, models: model, group: "default" };
    await testSite.root.post("/api/channel/", channel);
    await testSite.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify({ [model]: 0.01 }) });
    await testSite.eventually("routing", 20_000, async () => (await post({ model, input: "x" })).ok || undefined);
  }, 30_000);

  it.each([
    ["404 page not found", 404],
    ['{"detail":"Method Not Allowed"}', 405],
    ['{"error":{"message":"not implemented"}}', 501],
  ])("is a summary where the server does not have the path: %s", async (body, status) => {
    upstream.next({}, { raw: { status, body } }, { text: "They meet on Friday." });
    const response = await compact({ model, input });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-turnpike-attempts")).toBe("2");
    const { output } = CompactObject.parse(await response.json());
    expect(output).toMatchObject([{ type: "compaction", encrypted_content: expect.stringMatching(/^tpc\./) }]);
    expect(await respond({ model, input: [...output, user("When?")] })).toMatchObject(completed);
    expect(JSON.stringify(upstream.calls.at(-1)?.body)).toContain("They meet on Friday.");
  });

  it.each([
    ['{"error":{"message":"Item with id rs_1 not found."}}', 404],
    ['{"error":{"message":"The model does not exist","code":"model_not_found"}}', 404],
  ])("fails with what the server reports about the call: %s", async (body, status) => {
    upstream.next({}, { raw: { status, body } });
    expect((await compact({ model, input })).status).toBe(status);
  });
});

describe.each(KINDS)("Open Responses over a WebSocket and a channel of %s", (_, __, model) => {
  const withSocket = async (run: (socket: ResponsesSocket) => Promise<void>): Promise<void> => {
    const socket = await openResponsesSocket(world.relayUrl, key);
    try {
      await run(socket);
    } finally {
      await socket.close();
    }
  };
  const lastRequested = (): string => JSON.stringify(upstream.calls.at(-1)?.body);

  it("sends the events of a response", () =>
    withSocket(async (socket) => {
      checkEvents(await socket.create({ model, input: [user("Count to two.")] }));
    }));

  it("serves one response after the other", () =>
    withSocket(async (socket) => {
      const first = await socket.create({ model, store: false, input: "Say one." });
      const second = await socket.create({ model, store: false, input: "Say two." });
      for (const turn of [first, second]) checkEvents(turn);
      expect(second.response?.id).not.toBe(first.response?.id);
    }));

  it("continues a response that is not stored, with its complete conversation", () =>
    withSocket(async (socket) => {
      upstream.next({}, { text: "Noted." }, { text: "amber" });
      const first = await socket.create({ model, store: false, input: "The word is amber." });
      const previous = { previous_response_id: first.response?.id };
      const second = await socket.create({ model, store: false, ...previous, input: "Which word?" });
      checkEvents(second);
      expect(lastRequested()).toMatch(/The word is amber.*Noted.*Which word/);
    }));

  it("does not know such a response on another connection, which then begins anew", async () => {
    let previous: string | undefined;
    await withSocket(async (socket) => {
      previous = (await socket.create({ model, store: false, input: "The word is jade." })).response?.id;
    });
    expect(previous).toBeDefined();
    await withSocket(async (socket) => {
      const lost = { model, store: false, previous_response_id: previous, input: "Which word?" };
      checkError(await socket.create(lost), "previous_response_not_found");
      checkEvents(await socket.create({ model, store: false, input: [user("Begin anew.")] }));
    });
  });

  it.each([{ store: false }, {}])("refuses an unknown previous response (%j)", (fields) =>
    withSocket(async (socket) => {
      const unknown = { model, ...fields, previous_response_id: "resp_of_nobody", input: "Continue." };
      checkError(await socket.create(unknown), "previous_response_not_found");
    }),
  );

  it("begins anew from a compacted conversation", () =>
    withSocket(async (socket) => {
      const input = [user("The word is topaz."), assistant("Noted."), user("Compact this.")];
      const { output } = await compactTo(model, "The word is topaz.", input);
      checkEvents(await socket.create({ model, store: false, input: [...output, user("Which word?")], tools: [] }));
      expect(lastRequested()).toMatch(model === KINDS[0][2] ? /gAAAAfake.*Which word/ : /word is topaz.*Which word/);
    }));

  it("forgets a response whose continuation failed", () =>
    withSocket(async (socket) => {
      const first = await socket.create({ model, store: false, input: "The word is ruby." });
      const previous = { model, store: false, previous_response_id: first.response?.id };
      const output = { type: "function_call_output", call_id: "call_of_nobody", output: "nothing" };
      const failed = await socket.create({ ...previous, input: [output] });
      expect(SocketError.parse(failed.events[0])).toMatchObject({ status: 400, error: { param: "input" } });
      checkError(await socket.create({ ...previous, input: "Which word?" }), "previous_response_not_found");
    }));
});

describe("Open Responses schema", () => {
  /** The phases that OpenAI's newer models give their messages. */
  const OPENAI_PHASES = ["commentary", "final_answer"] as const;

  it("passes on the phases of messages", async () => {
    const response = await (await post({ model: KINDS[0][2], input: "x" })).json();
    const [message] = (response as { output: object[] }).output;
    const output = OPENAI_PHASES.map((phase) => ({ ...message, phase }));
    const body = JSON.stringify({ ...(response as object), output });
    upstream.next({}, { raw: { headers: { "content-type": "application/json" }, body } });
    expect((await respond({ model: KINDS[0][2], input: "x" })).output).toMatchObject(
      OPENAI_PHASES.map((phase) => ({ type: "message", phase })),
    );
  });
});
