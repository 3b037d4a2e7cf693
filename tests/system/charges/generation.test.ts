import { beforeAll, describe, expect, it } from "vitest";
import { inDollars } from "../../lib/charged-post.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;
type Sent = { readonly path: string; readonly body: Json };
type Served = { readonly id: string; readonly requestId: string };

const MODELS = ["gpt-4o", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];
const at = useTestSite();
let key: string;
let strangersKey: string;

const messages = [{ role: "user", content: "hi" }];
const DIALECTS: Readonly<Record<string, (model: string, stream: boolean) => Sent>> = {
  chat: (model, stream) => ({ path: "/v1/chat/completions", body: { model, messages, stream } }),
  messages: (model, stream) => ({ path: "/v1/messages", body: { model, messages, max_tokens: 100, stream } }),
  responses: (model, stream) => ({ path: "/v1/responses", body: { model, input: "hi", stream } }),
  gemini: (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  }),
};
const CALLS = Object.entries(DIALECTS).flatMap(([dialect, write]) =>
  MODELS.flatMap((model) => [false, true].map((stream) => [dialect, model, stream, write(model, stream)] as const)),
);

/** The id that a caller reads in a body or in the first event of a stream. */
function readId(text: string): string {
  const first = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "{}");
  const body = JSON.parse(first) as Json;
  const inner = (body["message"] ?? body["response"] ?? body) as Json;
  const id = inner["id"] ?? inner["responseId"];
  return typeof id === "string" ? id : "";
}

async function send({ path, body }: Sent): Promise<Served> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(at.world.relayUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  // Of a cut stream, what came before is read.
  let text = "";
  try {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
  } catch (error) {
    if (text === "") throw error;
  }
  return { id: readId(text), requestId: response.headers.get("x-request-id") ?? "" };
}

async function read(id: string, asKey = key): Promise<{ status: number; body: Json }> {
  const headers = { authorization: `Bearer ${asKey}` };
  const response = await fetch(`${at.world.relayUrl}/v1/generation?id=${encodeURIComponent(id)}`, { headers });
  return { status: response.status, body: (await response.json()) as Json };
}

async function expectFound({ id, requestId }: Served): Promise<void> {
  const { quota } = await at.testSite.readLogRow(requestId);
  expect(id).not.toBe("");
  expect(await read(id)).toMatchObject({
    status: 200,
    body: { data: { id, request_id: requestId, total_cost: inDollars(quota) } },
  });
}

async function expectUnknown(id: string, asKey = key): Promise<void> {
  const { status, body } = await read(id, asKey);
  const { message, ...error } = body["error"] as Json;
  expect([status, error]).toEqual([404, { type: "turnpike_error", param: "id", code: "not_found" }]);
  expect(message).toContain(`no charged call has the id ${id}`);
}

beforeAll(async () => {
  ({ key } = await at.testSite.token());
  const stranger = await at.testSite.createUser(1_000_000);
  ({ key: strangersKey } = await at.testSite.token({}, stranger.client));
});

describe("id in a response", () => {
  it.each(CALLS)(
    "finds the call for its user alone: %s of %s, streamed: %s",
    async (_dialect, _model, _stream, sent) => {
      const served = await send(sent);
      await expectFound(served);
      await expectUnknown(served.id, strangersKey);
    },
  );

  it.each([
    { path: "/v1/completions", body: { model: "gpt-4o", prompt: "hi" } },
    { path: "/v1/completions", body: { model: "gpt-4o", prompt: "hi", stream: true } },
    { path: "/v1/moderations", body: { model: "gpt-4o", input: "hi" } },
  ])("finds a call of another endpoint: %j", async (sent) => {
    await expectFound(await send(sent));
  });

  it("finds a call whose stream was cut", async () => {
    at.upstream.next({ model: "gpt-4o" }, { pieces: 20, cutAfterFrames: 10 });
    await expectFound(await send(DIALECTS["chat"]!("gpt-4o", true)));
  });

  it("finds the newest call of an upstream that gives every response the same id", async () => {
    const body = { id: "chatcmpl-same", object: "chat.completion", model: "gpt-4o", choices: [] as Json[] };
    const choice = { index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" };
    for (const count of [10, 20]) {
      const usage = { prompt_tokens: count, completion_tokens: count, total_tokens: 2 * count };
      const text = JSON.stringify({ ...body, choices: [choice], usage });
      at.upstream.next(
        { model: "gpt-4o" },
        { raw: { status: 200, headers: { "content-type": "application/json" }, body: text } },
      );
      await expectFound(await send(DIALECTS["chat"]!("gpt-4o", false)));
    }
  });
});

describe("id without a charged call", () => {
  it.each(["chatcmpl-none", "resp_none", "msg_none", "gen-1", "x".repeat(2_000), "%00", "$ne"])(
    "is unknown: %s",
    (id) => expectUnknown(id),
  );

  it("is unknown if it is that of a failed call", async () => {
    at.upstream.next({ model: "gpt-4o" }, { refuse: { status: 400 } });
    const { requestId } = await send(DIALECTS["chat"]!("gpt-4o", false));
    await expectUnknown(requestId);
  });

  it("is unknown if a sealed id was changed", async () => {
    const served = await send(DIALECTS["responses"]!("gpt-4o", false));
    await expectFound(served);
    const { id } = served;
    await expectUnknown(id.slice(0, -1) + (id.endsWith("A") ? "B" : "A"));
  });
});
