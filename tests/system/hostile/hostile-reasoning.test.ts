import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

const OUTPUT = 105;
/** Five visible tokens, then a pause before the usage. */
const REASONED = { pieces: 5, usage: { inputTokens: 20, outputTokens: OUTPUT, reasoningTokens: 100 } };

let key = "";
const request = (stream: boolean, signal?: AbortSignal, asKey = key): Promise<Response> =>
  fetch(`${at.world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${asKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", stream, messages: [{ role: "user", content: "Think about it." }] }),
    ...(signal ? { signal } : {}),
  });

/** Reads the visible text of a stream and disconnects before its usage arrives. */
async function leaveAfterText() {
  at.upstream.next({}, { ...REASONED, frameGapMs: 100 });
  const leaving = new AbortController();
  const response = await request(true, leaving.signal);
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("w4 ")) break;
  }
  leaving.abort();
  return at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
}

beforeAll(async () => {
  ({ key } = await at.testSite.token());
  // A model whose reasoning was reported once.
  at.upstream.next({}, REASONED);
  await (await request(true)).text();
});

describe("hidden reasoning of a call whose client disconnects after the visible text", () => {
  it("is read from the drained stream by default", async () => {
    const row = await leaveAfterText();
    expect(row.completion_tokens).toBe(OUTPUT);
    expect(JSON.parse(row.other)).toMatchObject({ reasoning_tokens: 100 });
  });

  it("is charged by the learned share if the option is on", async () => {
    await at.testSite.root.put("/api/option/", { key: "HiddenReasoningOnDisconnect", value: "share" });
    await expect
      .poll(async () => JSON.parse((await leaveAfterText()).other) as unknown, { timeout: 15_000 })
      .toMatchObject({
        error_code: "stream_interrupted",
        usage_estimated: true,
      });
    const row = await leaveAfterText();
    expect(row.completion_tokens).toBeGreaterThan(OUTPUT * 0.6);
    expect(row.completion_tokens).toBeLessThan(OUTPUT * 3);
    expect((JSON.parse(row.other) as { reasoning_tokens: number }).reasoning_tokens).toBeGreaterThan(50);
  });

  it.each([true, false])("is charged as learned although no text was visible yet, streamed: %s", async (stream) => {
    const user = await at.testSite.createUser(10_000_000);
    const own = await at.testSite.token({ unlimited_quota: true }, user.client);
    at.upstream.next({}, { ...REASONED, delayMs: 5_000 });
    await request(stream, AbortSignal.timeout(1_500), own.key).catch(() => undefined);
    const row = await at.testSite.eventually("the log row", 15_000, async () => {
      const { items } = await at.testSite.logs({ username: user.username, type: 2 });
      return items[0];
    });
    expect(row.completion_tokens).toBeGreaterThan(OUTPUT * 0.5);
    expect(row.completion_tokens).toBeLessThan(OUTPUT * 2);
  });

  it("is charged for a non-streaming call, too", async () => {
    await at.testSite.root.put("/api/option/", { key: "HiddenReasoningOnDisconnect", value: "drain" });
    const user = await at.testSite.createUser(10_000_000);
    const own = await at.testSite.token({ unlimited_quota: true }, user.client);
    key = own.key;
    await expect
      .poll(
        async () => {
          at.upstream.next({}, { ...REASONED, delayMs: 500 });
          await request(false, AbortSignal.timeout(200)).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          const { items } = await at.testSite.logs({ username: user.username, type: 2 });
          return items[0]?.completion_tokens;
        },
        { timeout: 15_000 },
      )
      .toBe(OUTPUT);
  });
});

describe("hidden reasoning of a stream in another dialect", () => {
  const PROMPT = "Think about it.";
  const MESSAGES = [{ role: "user", content: PROMPT }];
  const contents = [{ role: "user", parts: [{ text: PROMPT }] }];
  const toGemini = (model: string): string => `/v1beta/models/${model}:streamGenerateContent?alt=sse`;

  it.each<[string, string, object]>([
    ["responses", "/v1/responses", { model: "gpt-4o", input: PROMPT, stream: true }],
    ["messages", "/v1/messages", { model: "gpt-4o", max_tokens: 500, messages: MESSAGES, stream: true }],
    [
      "messages from Gemini",
      "/v1/messages",
      { model: "gemini-2.0-flash", max_tokens: 500, messages: MESSAGES, stream: true },
    ],
    ["gemini", toGemini("gemini-2.0-flash"), { contents }],
    ["gemini from OpenAI", toGemini("gpt-4o"), { contents }],
  ])("is read from the drained stream (%s)", async (_, path, body) => {
    const send = (signal?: AbortSignal): Promise<Response> =>
      fetch(at.world.relayUrl + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
    at.upstream.next({}, REASONED, { ...REASONED, frameGapMs: 100 });
    await (await send()).text();
    const leaving = new AbortController();
    const response = await send(leaving.signal);
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("w4 ")) break;
    }
    leaving.abort();
    expect((await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "")).completion_tokens).toBe(OUTPUT);
  });
});
