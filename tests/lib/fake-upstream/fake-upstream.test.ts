import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient, openaiClient } from "../clients.ts";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(() => upstream.reset());
afterAll(() => upstream.stop());

const user = (content: string) => ({ role: "user" as const, content });
const tool = { name: "weather", arguments: { city: "Zürich", days: 3 } };
const usage = { inputTokens: 40, cachedTokens: 10, outputTokens: 20, reasoningTokens: 5 };

async function gemini(action: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${upstream.url}/v1beta/models/gemini-2.0-flash:${action}`, {
    method: "POST",
    headers: { "x-goog-api-key": "g", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

describe("OpenAI double", () => {
  const client = () => openaiClient(upstream.url, "sk-up");

  it("works with the official client, including tools, reasoning and usage", async () => {
    upstream.always({ model: "m" }, { text: "It is sunny.", reasoning: "think a bit", toolCalls: [tool], usage });
    const whole = await client().chat.completions.create({ model: "m", messages: [user("hi")] });
    expect(whole.choices[0]?.message.content).toBe("It is sunny.");
    expect(whole.usage).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 10 },
    });
    const stream = client().chat.completions.stream({
      model: "m",
      messages: [user("hi")],
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe("It is sunny.");
    expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: "weather", arguments: JSON.stringify(tool.arguments) },
    });
    expect(streamed.usage?.total_tokens).toBe(60);
    expect(upstream.served()).toEqual({ calls: 2, inputTokens: 80, outputTokens: 40 });
  });

  it("refuses requests that the provider refuses", async () => {
    const odd = { role: "assistant", content: null } as never;
    await expect(client().chat.completions.create({ model: "m", messages: [odd] })).rejects.toMatchObject({
      status: 400,
    });
    expect(upstream.calls.map(({ outcome }) => outcome)).toEqual(["refused"]);
  });

  it("serves queued scenarios once each, by key, then the default scenario", async () => {
    upstream.next(
      { key: "sk-up" },
      { refuse: { status: 429, headers: { "retry-after": "7" } } },
      { raw: { status: 502, body: "<html>bad</html>" } },
    );
    const call = () => client().chat.completions.create({ model: "m", messages: [user("hi")] });
    await expect(call()).rejects.toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    await expect(call()).rejects.toMatchObject({ status: 502 });
    expect((await call()).choices[0]?.message.content).toBe("Hello from m.");
  });

  it("reads a scenario from the prompt and splits its bytes anywhere", async () => {
    const prompt = 'hi [[fake {"tag":"t1","text":"Zürich ✓ 東京","chunkBytes":[1,3,2]}]]';
    const stream = client().chat.completions.stream({ model: "m", messages: [user(prompt)] });
    expect(await stream.finalContent()).toBe("Zürich ✓ 東京");
    expect(upstream.calls[0]).toMatchObject({ tag: "t1", outcome: "served", usage: undefined });
  });

  it("cuts a stream, and records which side disconnected first", async () => {
    upstream.next({}, { pieces: 5, cutAfterFrames: 3 }, { pieces: 5, stallAfterFrames: 2 });
    const cut = client().chat.completions.stream({ model: "m", messages: [user("hi")] });
    await expect(cut.done()).rejects.toBeInstanceOf(Error);
    const stalled = await client().chat.completions.create({ model: "m", messages: [user("hi")], stream: true });
    for await (const _chunk of stalled) break;
    await expect.poll(() => upstream.calls.map(({ outcome }) => outcome)).toEqual(["broken", "client-disconnected"]);
  });
});

describe("Anthropic double", () => {
  const client = () => anthropicClient(upstream.url, "sk-ant");
  const request = { model: "claude", max_tokens: 100, messages: [user("hi")] };

  it("works with the official client, including thinking, tools and cache usage", async () => {
    upstream.always(
      {},
      { text: "Sunny today.", reasoning: "hm well", toolCalls: [tool], usage: { ...usage, cacheWriteTokens: 4 } },
    );
    const whole = await client().messages.create(request);
    const streamed = await client().messages.stream(request).finalMessage();
    for (const message of [whole, streamed]) {
      expect(message.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
      expect(message.content[2]).toMatchObject({ name: "weather", input: tool.arguments });
      expect(message.stop_reason).toBe("tool_use");
      expect(message.usage).toMatchObject({
        input_tokens: 26,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 4,
        output_tokens: 20,
      });
    }
  });

  it("refuses requests that the provider refuses", async () => {
    const empty = [{ role: "user" as const, content: [{ type: "text" as const, text: "" }] }];
    await expect(client().messages.create({ ...request, messages: empty })).rejects.toMatchObject({ status: 400 });
    upstream.next({}, { errorAfterFrames: 2 });
    await expect(client().messages.stream(request).finalMessage()).rejects.toThrow(/[Oo]verloaded/);
  });
});

describe("Gemini double", () => {
  const body = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };

  it("sends non-streaming responses and CRLF frames with growing usage", async () => {
    upstream.always({}, { text: "Sunny today.", reasoning: "hm", toolCalls: [tool], usage });
    const whole = JSON.parse((await gemini("generateContent", body)).text);
    expect(whole.candidates[0].content.parts).toHaveLength(3);
    expect(whole.usageMetadata).toMatchObject({
      promptTokenCount: 40,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      totalTokenCount: 60,
    });
    const { text } = await gemini("streamGenerateContent?alt=sse", body);
    const frames = text.split("\r\n\r\n").filter((frame) => frame !== "");
    const chunks = frames.map((frame) => JSON.parse(frame.replace(/^data: /, "")));
    expect(chunks).toHaveLength(4);
    expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }], usageMetadata: whole.usageMetadata });
    expect(chunks[0].usageMetadata.totalTokenCount).toBeLessThan(60);
  });

  it("refuses unknown fields and schema keys", async () => {
    const parameters = { type: "object", properties: { a: { type: "string", $schema: "x" } } };
    const strange = [
      { ...body, stream: true },
      { ...body, tools: [{ functionDeclarations: [{ name: "f", parameters }] }] },
    ];
    for (const one of strange) {
      const response = await gemini("generateContent", one);
      expect(response).toMatchObject({ status: 400, text: expect.stringContaining("INVALID_ARGUMENT") });
    }
  });
});
