import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const typed = (value: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const response = { id: "resp_1", object: "response", model: "m", status: "in_progress", output: [] };
const failure = { code: "insufficient_quota", message: "You exceeded your current quota." };
const RESPONSE_FAILED =
  typed({ type: "response.created", sequence_number: 0, response }) +
  typed({ type: "response.failed", sequence_number: 1, response: { ...response, status: "failed", error: failure } });
const OVERLOADED =
  typed({ type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } }) +
  typed({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
const MALFORMED = data({
  candidates: [{ index: 0, finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "print(x)" }],
  usageMetadata: { promptTokenCount: 900, totalTokenCount: 900 },
});

/** The provider's type and path, its failing stream, and the call that reaches it. */
type Call = readonly [name: string, type: number, stream: string, path: string, body: object];
const CALLS: readonly [Call, Call, Call, Call] = [
  ["openai", 1, RESPONSE_FAILED, "/v1/responses", { input: "Hello" }],
  ["claude", 14, OVERLOADED, "/v1/messages", { max_tokens: 50, messages: [{ role: "user", content: "Hello" }] }],
  ["claude-chat", 14, OVERLOADED, "/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }] }],
  ["gemini", 24, MALFORMED, "/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }] }],
];

let world: World;
let bad: FakeUpstream;
let good: FakeUpstream;
let testSite: TestSite;
let key: string;

beforeAll(async () => {
  [bad, good] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  good.always({}, { pieces: 3, usage: { inputTokens: 11, outputTokens: 7 } });
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, good.url);
  for (const [option, value] of [
    ["fallback_input_ratio", "1"],
    ["fallback_completion_ratio", "1"],
    ["fallback_pricing_enabled", "true"],
  ])
    await testSite.root.put("/api/option/", { key: option, value });
  ({ key } = await testSite.token());
  for (const [name, type, body] of CALLS)
    for (const suffix of ["two", "alone"]) {
      const models = `${name}-${suffix}`;
      const stream = { status: 200, headers: { "content-type": "text/event-stream" }, body };
      bad.always({ model: models }, { raw: stream });
      const channel = { type, models, group: "default" };
      await testSite.root.post("/api/channel/", {
        ...channel,
        name: models,
        key: models,
        base_url: bad.url,
        priority: 9,
      });
      if (suffix === "two")
        await testSite.root.post("/api/channel/", {
          ...channel,
          name: `${models}-good`,
          key: "good",
          base_url: good.url,
        });
    }
  await testSite.eventually("channels", 20_000, async () => (await call(CALLS[3], "two")).status === 200 || undefined);
}, 180_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all([bad?.stop(), good?.stop()]);
});

async function call([name, , , path, body]: Call, suffix: string) {
  const result = await fetch(`${world.relayUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: `${name}-${suffix}`, stream: true, ...body }),
  });
  const text = await result.text();
  return { status: result.status, text, requestId: result.headers.get("x-request-id") ?? "" };
}

describe("stream that its upstream opens and then fails", () => {
  it.each(CALLS)("is served by another channel: %s", async (...row) => {
    const { status, text, requestId } = await call(row, "two");
    expect(status).toBe(200);
    expect(text).not.toMatch(/quota|overloaded_error|MALFORMED|event: response.failed/i);
    expect((await testSite.readLogRow(requestId)).quota).toBe(18);
  });

  it("reaches a caller of the Responses API as upstream sent it, if no other channel is left", async () => {
    const { status, text } = await call(CALLS[0], "alone");
    // The id is sealed for the account that keeps the response.
    expect([status, text.replaceAll(/resp_[\w-]+/g, "resp_1")]).toEqual([200, RESPONSE_FAILED]);
  });

  it("is an error with upstream's status for others", async () => {
    expect(await call(CALLS[1], "alone")).toMatchObject({ status: 529 });
    expect(await call(CALLS[2], "alone")).toMatchObject({ status: 529 });
  });

  it("is an error that names Google's reason, and costs what Google reports", async () => {
    const { status, text, requestId } = await call(CALLS[3], "alone");
    expect(status).toBe(502);
    expect(text).toContain("MALFORMED_FUNCTION_CALL: print(x)");
    const rows = (await testSite.eventually("row", 20_000, async () => {
      const { items } = await testSite.logs({ request_id: requestId, type: 2 });
      return items.length > 0 ? items : undefined;
    })) as { quota: number }[];
    expect(rows.map(({ quota }) => quota)).toEqual([900]);
    await ledgerCheck(world);
  });
});
