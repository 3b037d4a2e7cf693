import { afterEach, describe, expect, it } from "vitest";
import { anthropicClient, openaiClient } from "../../lib/clients.ts";
import type { LogRow } from "../../lib/test-site.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite();

const DEFAULTS = {
  SensitiveWords: "test_sensitive",
  CheckSensitiveOnCompletionEnabled: "false",
  StopOnSensitiveEnabled: "true",
  "global.safe_check_exempt_enabled": "false",
  "global.block_browser_extension_enabled": "false",
  "global.pass_through_request_enabled": "false",
  "general_setting.ping_interval_enabled": "false",
  LogChatContentEnabled: "false",
};

/** Sets options and waits until the relay applies them. */
async function set(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await at.testSite.root.put("/api/option/", { key, value });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
}
afterEach(async () => {
  for (const [key, value] of Object.entries(DEFAULTS)) await at.testSite.root.put("/api/option/", { key, value });
});

const CREDIT = 10_000_000;
async function caller(fields: Record<string, unknown> = {}) {
  const user = await at.testSite.createUser(CREDIT);
  const { key } = await at.testSite.token(fields, user.client);
  const balance = async () => (await user.client.get<{ quota: number }>("/api/user/self")).quota;
  return { key, person: user, balance, client: openaiClient(at.world.relayUrl, key) };
}

const request = (text: string) => ({ model: "gpt-4o", messages: [{ role: "user" as const, content: text }] });
const getOther = async (row: Promise<LogRow>) => JSON.parse((await row).other) as Record<string, unknown>;

async function getText(
  stream: AsyncIterable<{ choices: { delta: { content?: string | null }; finish_reason: string | null }[] }>,
) {
  let text = "";
  let finish: string | null = null;
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? "";
    finish = choices[0]?.finish_reason ?? finish;
  }
  return { text, finish };
}

describe("prompt rules", () => {
  it("blocks a prompt with a listed word before any upstream, at no cost, in every dialect", async () => {
    const ann = await caller();
    await set({ SensitiveWords: "forbidden fruit\nregex:ba[dn]\\d+" });
    const refused = { status: 400, code: "sensitive_words_detected" };
    await expect(ann.client.chat.completions.create(request("a FORBIDDEN Fruit"))).rejects.toMatchObject(refused);
    await expect(ann.client.chat.completions.create(request("it is ban77"))).rejects.toMatchObject(refused);
    await expect(
      ann.client.chat.completions.create({
        model: "gpt-4o",
        messages: [{ role: "user", content: [{ type: "text", text: "\u0066orbidden fruit" }] }],
      }),
    ).rejects.toMatchObject(refused);
    const anthropic = anthropicClient(at.world.relayUrl, ann.key);
    const message = {
      model: "claude-3-5-sonnet-20241022",
      max_tokens: 10,
      system: "of forbidden fruit",
      messages: [{ role: "user" as const, content: "hi" }],
    };
    await expect(anthropic.messages.create(message)).rejects.toMatchObject({ status: 400 });
    const google = async (path: string, body: object) => {
      const headers = { "x-goog-api-key": ann.key, "content-type": "application/json" };
      const url = `${at.world.relayUrl}/v1beta/models/gemini-2.0-flash:${path}`;
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    const forbidden = { parts: [{ text: "forbidden fruit" }] };
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    expect(await google("generateContent", { contents, system_instruction: forbidden })).toBe(400);
    expect(await google("embedContent", { content: forbidden })).toBe(400);
    expect(await google("batchEmbedContents", { requests: [{ content: forbidden }] })).toBe(400);
    const document = {
      type: "document" as const,
      source: { type: "text" as const, media_type: "text/plain" as const },
    };
    const read = [
      { role: "user" as const, content: [{ ...document, source: { ...document.source, data: "forbidden fruit" } }] },
    ];
    await expect(anthropic.messages.create({ ...message, system: "", messages: read })).rejects.toMatchObject({
      status: 400,
    });
    const long = `${"x ".repeat(300_000)}forbidden fruit`;
    await expect(ann.client.chat.completions.create(request(long))).rejects.toMatchObject(refused);
    expect(at.upstream.calls).toHaveLength(0);
    expect(await ann.balance()).toBe(CREDIT);
    await expect(ann.client.chat.completions.create(request("an apple"))).resolves.toMatchObject({});
  });

  it("does not check prompts of the exempt group", async () => {
    const ann = await caller({ group: "vip" });
    await at.testSite.root.put("/api/channel/", { id: at.testSite.channelIds["openai"], group: "default,vip" });
    await set({ "global.safe_check_exempt_enabled": "true", "global.safe_check_exempt_group": "vip" });
    await expect(ann.client.chat.completions.create(request("test_sensitive"))).resolves.toMatchObject({});
    const bob = await caller();
    await expect(bob.client.chat.completions.create(request("test_sensitive"))).rejects.toMatchObject({ status: 400 });
  });

  it("refuses prompts of browser extensions if enabled", async () => {
    const ann = await caller();
    const origin = "chrome-extension://abc";
    const call = () => ann.client.chat.completions.create(request("hi"), { headers: { origin } });
    await expect(call()).resolves.toMatchObject({});
    await set({ "global.block_browser_extension_enabled": "true" });
    await expect(call()).rejects.toMatchObject({ status: 403, code: "browser_extension_blocked" });
  });
});

describe("responses", () => {
  const words = { SensitiveWords: "secret plan", CheckSensitiveOnCompletionEnabled: "true" };

  it.each(["gpt-4o", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"])(
    "ends a response of %s at a listed word, as a filter does, and charges it up to there",
    async (model) => {
      const ann = await caller();
      await set(words);
      at.upstream.always({}, { text: `All is well here. The secret plan is ${"blah ".repeat(200)}` });
      const { data, request_id } = await ann.client.chat.completions
        .create({ ...request("tell"), model, stream: true })
        .withResponse();
      const { text, finish } = await getText(data);
      expect(text.trim()).toBe("All is well here. The");
      expect(finish).toBe("content_filter");
      const row = await at.testSite.readLogRow(request_id ?? "");
      expect(row.completion_tokens).toBeGreaterThan(2);
      expect(row.completion_tokens).toBeLessThan(40);
      expect(row.quota).toBeGreaterThan(0);
      const whole = await ann.client.chat.completions.create({ ...request("tell"), model });
      expect(whole.choices[0]).toMatchObject({ finish_reason: "content_filter" });
      expect(whole.choices[0]?.message.content?.trim()).toBe("All is well here. The");
    },
  );

  it("masks words if the response is not to end there, and changes nothing without such words", async () => {
    const ann = await caller();
    await set({ ...words, StopOnSensitiveEnabled: "false" });
    at.upstream.next(
      {},
      { text: "One secret plan, two." },
      { text: "One secret plan, two." },
      { text: "Nothing here." },
    );
    const { text, finish } = await getText(
      await ann.client.chat.completions.create({ ...request("tell"), stream: true }),
    );
    expect([text, finish]).toEqual(["One **###**, two.", "stop"]);
    const whole = await ann.client.chat.completions.create(request("tell"));
    expect(whole.choices[0]?.message.content).toBe("One **###**, two.");
    const plain = await ann.client.chat.completions.create(request("tell"));
    expect(plain.choices[0]?.message.content).toBe("Nothing here.");
  });

  it("closes the blocks of Anthropic responses", async () => {
    const ann = await caller();
    await set(words);
    at.upstream.always({}, { text: "Well. The secret plan is on." });
    const stream = anthropicClient(at.world.relayUrl, ann.key).messages.stream({
      model: "claude-3-5-sonnet-20241022",
      max_tokens: 100,
      messages: [{ role: "user", content: "tell" }],
    });
    const types: string[] = [];
    stream.on("streamEvent", ({ type }) => types.push(type));
    const message = await stream.finalMessage();
    expect(message.stop_reason).toBe("refusal");
    expect(types.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  });
});

describe("silent streams", () => {
  it("keeps streams alive by comments, also before the first byte, and reports failures inside", async () => {
    const ann = await caller();
    await set({ "general_setting.ping_interval_enabled": "true", "general_setting.ping_interval_seconds": "1" });
    const call = async () => {
      const response = await fetch(`${at.world.relayUrl}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${ann.key}` },
        body: JSON.stringify({ ...request("hi"), stream: true }),
      });
      return { status: response.status, text: await response.text() };
    };
    at.upstream.next({}, { text: "Hello.", delayMs: 4_000 });
    const slow = await call();
    expect(slow.text).toMatch(/^(?:: PING\n\n)+data: \{/);
    expect(slow.text).toContain("data: [DONE]");
    at.upstream.next({}, { delayMs: 4_000, refuse: { status: 400, message: "context too long" } });
    const failed = await call();
    expect(failed.status).toBe(200);
    expect(failed.text).toContain("context too long");
    expect(failed.text).not.toContain("[DONE]");
    at.upstream.next({}, { text: "Quick." });
    expect((await call()).text).not.toContain("PING");
  });
});

describe("logged content", () => {
  it("logs content if enabled, truncated, and writes it nowhere otherwise", async () => {
    const ann = await caller();
    at.upstream.always({}, { text: "The answer." });
    const messages = [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: "The question?" },
    ];
    const plain = await ann.client.chat.completions.create({ model: "gpt-4o", messages }).withResponse();
    expect(await getOther(at.testSite.readLogRow(plain.request_id ?? ""))).not.toHaveProperty("input_content");
    await set({ LogChatContentEnabled: "true" });
    const logged = { input_content: "The question?", output_content: "The answer." };
    const whole = await ann.client.chat.completions.create({ model: "gpt-4o", messages }).withResponse();
    expect(await getOther(at.testSite.readLogRow(whole.request_id ?? ""))).toMatchObject(logged);
    const streamed = await ann.client.chat.completions
      .create({ model: "gpt-4o", messages, stream: true })
      .withResponse();
    await getText(streamed.data);
    const other = await getOther(at.testSite.readLogRow(streamed.request_id ?? ""));
    expect(other).toMatchObject(logged);
    expect(other["context"]).toContain("Be brief.");
    const long = await ann.client.chat.completions.create(request("y".repeat(100_000))).withResponse();
    expect(
      String((await getOther(at.testSite.readLogRow(long.request_id ?? "")))["input_content"]).length,
    ).toBeLessThan(10_000);
  });
});

describe("bodies", () => {
  it("forwards bodies unchanged if enabled", async () => {
    const ann = await caller();
    await at.testSite.root.put("/api/channel/", {
      id: at.testSite.channelIds["openai"],
      param_override: '{"temperature":0.1}',
    });
    await set({ "global.pass_through_request_enabled": "true" });
    const body = { ...request("hi"), temperature: 0.9, odd: { kept: true } };
    await ann.client.chat.completions.create(body);
    expect(at.upstream.calls.at(-1)?.body).toEqual(body);
    await set({ "global.pass_through_request_enabled": "false" });
    await ann.client.chat.completions.create(body);
    expect(at.upstream.calls.at(-1)?.body).toMatchObject({ temperature: 0.1, odd: { kept: true } });
  });
});
