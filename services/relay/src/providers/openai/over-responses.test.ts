import { describe, expect, it } from "vitest";
import type { ChatRequest, StreamPart } from "../../core/chat/chat.ts";
import { readResponse, readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { Provider } from "../contract/provider.ts";

const [OPENAI, AZURE, CUSTOM, OPENROUTER, VOLCENGINE, XAI] = [1, 3, 8, 20, 45, 48];
const providerFor = (type: number, model: string): Provider => {
  const provider = findProvider(type) as Provider;
  return provider.forModel?.(model) ?? provider;
};
const codex = providerFor(OPENAI, "gpt-5-codex");
const isOver = (type: number, model: string): boolean => providerFor(type, model).wireFormat === "own";

const send = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "gpt-5-codex",
  system: [{ type: "text", text: "Be brief." }],
  messages: [{ role: "user", parts: [{ type: "text", text: "Weather?" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});
const getBody = (fields: Partial<ChatRequest>, model = "gpt-5-codex") =>
  providerFor(OPENAI, model).buildRequest(send(fields), targetFor({ model })).json;

describe("models served only by the Responses API", () => {
  it.each([
    ..."o1-pro o3-pro-2025-06-10 gpt-5-pro gpt-5.2-pro-2025-12-11 gpt-5-codex gpt-5.1-codex-max codex-mini-latest".split(
      " ",
    ),
    ..."o3-deep-research o4-mini-deep-research-2025-06-26 computer-use-preview-2025-03-11 codex-mini".split(" "),
  ])("covers %s", (model) => {
    expect(isOver(OPENAI, model)).toBe(true);
    expect(isOver(AZURE, model)).toBe(true);
  });

  it.each(["gpt-5", "gpt-5.1", "o1", "o3-mini", "gpt-4o", "gpt-5-mini", "professor"])("does not cover %s", (model) =>
    expect(isOver(OPENAI, model)).toBe(false),
  );

  it.each([CUSTOM, OPENROUTER, VOLCENGINE, XAI])("uses chat on channels of type %i", (type) =>
    expect(isOver(type, "o3-pro")).toBe(false),
  );
});

describe("chat call of a Responses-only model", () => {
  it("is sent to the responses endpoint", () => {
    expect(codex.buildRequest(send(), targetFor({ model: "gpt-5-codex" })).url).toBe(
      "https://api.openai.com/v1/responses",
    );
    const azure = targetFor({
      channelType: AZURE,
      baseUrl: "https://x.openai.azure.com",
      model: "o3-pro",
      other: "2025-04-01-preview",
    });
    const { url, headers } = providerFor(AZURE, "o3-pro").buildRequest(send(), azure);
    expect(url).toBe("https://x.openai.azure.com/openai/responses?api-version=2025-04-01-preview");
    expect(headers).toMatchObject({ "api-key": "sk-upstream" });
  });

  it("keeps custom tools as such, with their grammar, a choice of them, their calls and results", () => {
    const grammar = { syntax: "lark", definition: "start: WORD" };
    const custom = { description: "Runs a query", grammar };
    const body = getBody({
      tools: [{ name: "sql", parameters: { type: "object" }, custom }],
      toolChoice: { type: "tool", name: "sql" },
      messages: [
        { role: "user", parts: [{ type: "text", text: "Rows?" }] },
        {
          role: "assistant",
          parts: [{ type: "tool-call", id: "call_1", name: "sql", argumentsText: '{"input":"x"}' }],
        },
        {
          role: "user",
          parts: [{ type: "tool-result", id: "call_1", name: "sql", parts: [{ type: "text", text: "1" }] }],
        },
      ],
    });
    expect(body).toMatchObject({
      tools: [{ type: "custom", name: "sql", description: "Runs a query", format: { type: "grammar", ...grammar } }],
      tool_choice: { type: "custom", name: "sql" },
      input: [
        {},
        { type: "custom_tool_call", call_id: "call_1", name: "sql", input: "x" },
        { type: "custom_tool_call_output", call_id: "call_1", output: "1" },
      ],
    });
  });

  it("converts messages, calls and results to items", () => {
    const request = getBody({
      messages: [
        {
          role: "user",
          parts: [
            { type: "text", text: "Look:" },
            { type: "image", source: { kind: "url", url: "https://example.com/a.png" }, detail: "low" },
            { type: "file", name: "a.pdf", mediaType: "application/pdf", data: "JVBE" },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "hm", signature: "another's" },
            { type: "text", text: "I will." },
            { type: "tool-call", id: "call_1", name: "weather", argumentsText: "" },
          ],
        },
        {
          role: "user",
          parts: [
            { type: "text", text: "And?" },
            { type: "tool-result", id: "call_1", parts: [{ type: "text", text: "Sun." }] },
          ],
        },
      ],
    });
    expect(request).toEqual({
      model: "gpt-5-codex",
      instructions: "Be brief.",
      store: false,
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look:" },
            { type: "input_image", image_url: "https://example.com/a.png", detail: "low" },
            { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" },
          ],
        },
        { role: "assistant", content: [{ type: "output_text", text: "I will." }] },
        { type: "function_call", call_id: "call_1", name: "weather", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "Sun." },
        { role: "user", content: [{ type: "input_text", text: "And?" }] },
      ],
    });
  });

  it("carries its settings, and omits what such models refuse", () => {
    const schema = { type: "object", properties: {} };
    expect(
      getBody({
        stream: true,
        maxOutputTokens: 5,
        temperature: 0.5,
        topP: 0.9,
        stop: ["x"],
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 1,
        tools: [{ name: "weather", description: "Tells it.", parameters: schema }],
        toolChoice: { type: "tool", name: "weather" },
        parallelToolCalls: false,
        webSearch: { contextSize: "low", userLocation: { city: "Bern" } },
        responseFormat: { type: "json-schema", name: "answer", schema, strict: true },
        reasoning: { effort: "max" },
        user: "u".repeat(80),
      }),
    ).toMatchObject({
      stream: true,
      max_output_tokens: 16,
      tools: [
        { type: "web_search", search_context_size: "low", user_location: { type: "approximate", city: "Bern" } },
        { type: "function", name: "weather", description: "Tells it.", parameters: schema, strict: false },
      ],
      tool_choice: { type: "function", name: "weather" },
      parallel_tool_calls: false,
      text: { format: { type: "json_schema", name: "answer", schema, strict: true } },
      reasoning: { effort: "high" },
      user: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    const keys = Object.keys(getBody({ temperature: 0.5, topP: 0.9, stop: ["x"], seed: 1, presencePenalty: 1 }));
    expect(keys.toSorted()).toEqual(["input", "instructions", "model", "store"]);
  });

  it("carries OpenAI-only fields in the form of this API", () => {
    const openAi = { verbosity: "low", service_tier: "flex", metadata: { a: "b" }, prompt_cache_key: "k" };
    expect(getBody({ openAi, responseFormat: { type: "text" } })).toMatchObject({
      text: { format: { type: "text" }, verbosity: "low" },
      service_tier: "flex",
      metadata: { a: "b" },
      prompt_cache_key: "k",
      store: false,
    });
    expect(getBody({ openAi })).not.toHaveProperty("verbosity");
  });

  it("has its system prompt in the input if the input must mention JSON", () => {
    const body = getBody({ responseFormat: { type: "json" } });
    expect(body).not.toHaveProperty("instructions");
    expect(body["input"]).toEqual([
      { role: "developer", content: expect.stringMatching(/^Be brief\.\n\n.*one JSON object/) },
      { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
    ]);
  });

  it.each([
    ["gpt-5-codex-low", undefined, "low"],
    ["gpt-5-pro", { effort: "medium" as const }, undefined],
    ["gpt-5.2-pro", { budgetTokens: 8_000 }, "medium"],
    ["gpt-5.1-codex-max", { effort: "xhigh" as const }, "xhigh"],
    ["o3-deep-research", { effort: "high" as const }, undefined],
  ])("of %s has an effort that the model supports", (model, reasoning, effort) => {
    const body = getBody(reasoning ? { reasoning } : {}, model);
    expect((body["reasoning"] as { effort?: string } | undefined)?.effort).toBe(effort);
    expect(body["model"]).toBe(model.replace("-low", ""));
  });

  it("has a search source for deep research, which requires one", () => {
    expect(getBody({}, "o3-deep-research")["tools"]).toEqual([{ type: "web_search_preview" }]);
    const requested = getBody({ webSearch: { contextSize: "low" } }, "o3-deep-research");
    expect(requested["tools"]).toEqual([{ type: "web_search_preview", search_context_size: "low" }]);
  });

  it("enables truncation for models that require it, and has no effort there", () => {
    const body = getBody({ reasoning: { effort: "low" } }, "computer-use-preview");
    expect(body).toMatchObject({ truncation: "auto" });
    expect(body).not.toHaveProperty("reasoning");
  });

  it("is refused with audio, or for several candidates", () => {
    const audio = { role: "user" as const, parts: [{ type: "audio" as const, format: "wav", data: "" }] };
    expect(() => getBody({ messages: [audio] })).toThrowError(/audio is not supported/);
    expect(() => getBody({ candidateCount: 2 })).toThrowError(/n above 1/);
  });
});

const citations = [{ url: "https://example.com/", title: "Weather", startIndex: 0, endIndex: 6 }];
const usage = { promptTokens: 75, cacheReadTokens: 50, completionTokens: 120, reasoningTokens: 64 };

describe("response of a Responses-only model", () => {
  it("is parsed in non-streaming form", () => {
    expect(codex.parseResponse(readResponse("openai", "responses"))).toMatchObject({
      id: "resp_68c1",
      model: "gpt-5-codex",
      createdAtSeconds: 1_757_600_000,
      parts: [
        { type: "text", text: "Sunny, I will look." },
        { type: "tool-call", id: "call_1", name: "weather", argumentsText: '{"city": "Zürich"}' },
        { type: "tool-call", id: "call_2", name: "weather", argumentsText: '{"city": "Genf"}' },
      ],
      citations,
      finishReason: "tool-calls",
      usage,
    });
  });

  it.each([1, 7, 64, 100_000])("is parsed as a stream in chunks of %i bytes", (pieceBytes) => {
    const reader = codex.newStreamReader();
    const parts = readParts(reader, readStreamBytes("openai", "responses"), pieceBytes);
    expect(reader.isComplete()).toBe(true);
    expect(parts.filter(({ type }) => type === "start" || type.startsWith("tool-call-start"))).toEqual([
      { type: "start", id: "resp_68c1", model: "gpt-5-codex" },
      { type: "tool-call-start", index: 0, id: "call_1", name: "weather" },
      { type: "tool-call-start", index: 1, id: "call_2", name: "weather" },
    ]);
    const getText = (type: StreamPart["type"], index?: number): string =>
      parts
        .filter((part) => part.type === type && (index === undefined || (part as { index?: number }).index === index))
        .map((part) => (part as { text?: string }).text ?? (part as { argumentsText?: string }).argumentsText)
        .join("");
    expect(getText("text-delta")).toBe("Sunny, I will look.");
    expect([0, 1].map((index) => getText("tool-call-delta", index))).toEqual([
      '{"city": "Zürich"}',
      '{"city": "Genf"}',
    ]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "tool-calls", citations, usage });
  });

  it.each([
    ["max_output_tokens", "length"],
    ["content_filter", "content-filter"],
  ])("reports an early end by %s", (reason, finish) => {
    const response = { status: "incomplete", incomplete_details: { reason }, output: [] };
    expect(codex.parseResponse(response).finishReason).toBe(finish);
    const data = JSON.stringify({ type: "response.incomplete", response });
    expect(codex.newStreamReader().read({ event: "response.incomplete", data })).toMatchObject([{ reason: finish }]);
  });

  it("fails with upstream's text", () => {
    const response = { status: "failed", error: { code: "rate_limit_exceeded", message: "Slow down." } };
    const failure = expect.objectContaining({ status: 429, message: "Slow down." }) as Error;
    expect(() => codex.parseResponse(response)).toThrowError(failure);
    const data = JSON.stringify({ type: "response.failed", response });
    expect(() => codex.newStreamReader().read({ event: "response.failed", data })).toThrowError(failure);
  });

  it("is cut if it stops before its end", () => {
    const bytes = readStreamBytes("openai", "responses");
    const reader = codex.newStreamReader();
    readParts(reader, bytes.subarray(0, bytes.lastIndexOf("event: response.completed")));
    expect(reader.isComplete()).toBe(false);
  });
});

describe("model that refuses streams", () => {
  it.each(["o1-pro", "gpt-5-pro-2025-10-06"])("is called without streaming: %s", (model) => {
    const { json } = providerFor(OPENAI, model).buildRequest(send({ stream: true }), targetFor({ model }));
    expect(json).not.toHaveProperty("stream");
    expect(providerFor(OPENAI, model).streaming?.neverStreams).toBe(true);
    expect(codex.streaming?.neverStreams).toBeUndefined();
  });

  const { newStreamReader, streaming } = providerFor(OPENAI, "gpt-5-pro");
  const read = (bytes: Buffer) => readParts(newStreamReader(), bytes, 7, streaming?.newFrameSplitter?.());

  it("has its response converted to a stream of single events", () => {
    const response = Buffer.from(JSON.stringify(readResponse("openai", "responses")));
    expect(read(response)).toEqual([
      { type: "start", id: "resp_68c1", model: "gpt-5-codex" },
      { type: "text-delta", text: "Sunny, I will look." },
      { type: "tool-call-start", index: 0, id: "call_1", name: "weather" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"city": "Zürich"}' },
      { type: "tool-call-start", index: 1, id: "call_2", name: "weather" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"city": "Genf"}' },
      expect.objectContaining({ type: "finish", reason: "tool-calls", citations }),
    ]);
  });

  it("is cut if its response is cut", () => {
    expect(() => read(Buffer.from('{"id":"resp_1","outp'))).toThrowError(/unreadable/);
  });
});
