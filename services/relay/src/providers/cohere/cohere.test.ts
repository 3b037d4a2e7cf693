import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readResponse, readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { cohere } from "./cohere.ts";

const build = (fields: Partial<ChatRequest>, model = "command-a-03-2025") =>
  cohere.buildRequest(
    {
      model,
      system: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
      stream: false,
      includeUsage: false,
      ...fields,
    },
    targetFor({ channelType: 34, model }),
  );

const TOOLS = [
  { name: "f", parameters: { properties: {} } },
  { name: "g", parameters: { type: "object" } },
];

describe("Cohere request", () => {
  it("carries the caller's fields in Cohere's format", () => {
    const { url, headers, json } = build({
      system: [{ type: "text", text: "Be brief." }],
      maxOutputTokens: 9,
      temperature: 1.4,
      topP: 1,
      topK: 3,
      stop: ["END"],
      seed: 4,
      frequencyPenalty: -1,
      responseFormat: { type: "json-schema", name: "n", schema: { type: "object" } },
    });
    expect(url).toBe("https://api.cohere.ai/v2/chat");
    expect(headers).toMatchObject({ authorization: "Bearer sk-upstream" });
    expect(json).toEqual({
      model: "command-a-03-2025",
      stream: false,
      max_tokens: 9,
      temperature: 1,
      p: 0.99,
      k: 3,
      stop_sequences: ["END"],
      seed: 4,
      frequency_penalty: 0,
      response_format: { type: "json_object", json_schema: { type: "object" } },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    });
  });

  it.each<[ChatRequest["toolChoice"], string | undefined, string[]]>([
    [undefined, undefined, ["f", "g"]],
    [{ type: "auto" }, undefined, ["f", "g"]],
    [{ type: "required" }, "REQUIRED", ["f", "g"]],
    [{ type: "none" }, "NONE", ["f", "g"]],
    [{ type: "tool", name: "g" }, "REQUIRED", ["g"]],
  ])("maps the tool choice: %j", (toolChoice, word, names) => {
    const { json } = build({ tools: TOOLS, ...(toolChoice ? { toolChoice } : {}) });
    expect(json["tool_choice"]).toBe(word);
    expect((json["tools"] as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual(names);
  });

  it("converts Jina's rerank objects to texts, and never sends return_documents", () => {
    const adapt = cohere.endpoints?.rerank?.adaptBody;
    const request = { model: "rerank-v3.5", query: "q", documents: [{ text: "a" }, "b"], return_documents: true };
    const { return_documents: _question, ...sent } = { ...request, documents: ["a", "b"] };
    expect(adapt?.(request, targetFor({ channelType: 34 }))).toEqual(sent);
    const plain = { model: "rerank-v3.5", query: "q", documents: ["a"] };
    expect(adapt?.(plain, targetFor({ channelType: 34 }))).toBe(plain);
  });

  it("converts Google's embeddings format, for one text or several", () => {
    const given = targetFor({ channelType: 34, model: "embed-v4.0" });
    const content = { parts: [{ text: "a" }] };
    const { endpoints } = cohere;
    expect(endpoints?.["gemini-embed"]?.adaptBody?.({ content }, given)).toMatchObject({ texts: ["a"] });
    const query = { content, taskType: "RETRIEVAL_QUERY" };
    expect(endpoints?.["gemini-embed"]?.adaptBody?.(query, given)).toMatchObject({ input_type: "search_query" });
    const batch = endpoints?.["gemini-batch-embed"];
    expect(batch?.address(given, false).url).toBe("https://api.cohere.ai/v2/embed");
    const requested = batch?.adaptBody?.({ requests: [{ content }, { content }] }, given);
    expect(requested).toMatchObject({ model: "embed-v4.0", texts: ["a", "a"], embedding_types: ["float"] });
  });

  it("has a user message if there are only system instructions", () => {
    const { json } = build({ system: [{ type: "text", text: "Be brief." }], messages: [] });
    expect(json["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "..." },
    ]);
  });

  it("has a non-empty message even if all messages are empty", () => {
    const { json } = build({ messages: [{ role: "user", parts: [{ type: "text", text: "" }] }] });
    expect(json["messages"]).toEqual([{ role: "user", content: "..." }]);
  });

  it("has at most as many stop sequences as Cohere accepts", () => {
    const stop = ["a", "b", "c", "d", "e", "f"];
    expect(build({ stop }).json["stop_sequences"]).toEqual(stop.slice(0, 5));
  });

  it("requests a schema by an instruction if it is not an object", () => {
    const schema = { type: "array", items: { type: "string" } };
    const { json } = build({ responseFormat: { type: "json-schema", name: "n", schema } });
    expect(json).not.toHaveProperty("response_format");
    expect(JSON.stringify(json["messages"])).toMatch(/one JSON value/);
  });

  it("sends one penalty, not two", () => {
    const { json } = build({ frequencyPenalty: 0.4, presencePenalty: 0.6 });
    expect([json["frequency_penalty"], json["presence_penalty"]]).toEqual([0.4, undefined]);
    expect(build({ frequencyPenalty: 0, presencePenalty: 0.6 }).json["presence_penalty"]).toBe(0.6);
  });

  it("requests JSON by an instruction if there are tools, which exclude a format", () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const responseFormat = { type: "json-schema", name: "n", schema } as const;
    const { json } = build({ tools: TOOLS, responseFormat, system: [{ type: "text", text: "Be brief." }] });
    expect(json).not.toHaveProperty("response_format");
    const [system] = json["messages"] as [{ role: string; content: string }];
    expect(system.role).toBe("system");
    expect(system.content).toMatch(/^Be brief\.\n.*\{"city":\{"type":"string"\}\}/s);
  });

  it("omits the content of a message with calls", () => {
    const { json } = build({
      messages: [{ role: "assistant", parts: [{ type: "tool-call", id: "c", name: "f", argumentsText: "{}" }] }],
    });
    expect(json["messages"]).toEqual([
      { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
    ]);
  });

  it("controls reasoning for models that support it", () => {
    const model = "command-a-reasoning-08-2025";
    expect(build({ reasoning: { budgetTokens: 500 } }, model).json["thinking"]).toEqual({
      type: "enabled",
      token_budget: 500,
    });
    expect(build({ reasoning: { effort: "none" } }, model).json["thinking"]).toEqual({ type: "disabled" });
    expect(build({ reasoning: { effort: "high" } }).json).not.toHaveProperty("thinking");
  });

  it("is refused for features that Cohere does not support", () => {
    const parts = [{ type: "audio", format: "wav", data: "AAAA" }] as const;
    expect(() => build({ messages: [{ role: "user", parts }] })).toThrow(RelayError);
  });
});

describe("Cohere response", () => {
  it.each(["text", "tools", "reasoning"])("is parsed in non-streaming and streaming form: %s", (name) => {
    expect(cohere.parseResponse(readResponse("cohere", name))).toMatchSnapshot("whole");
    const parts = readParts(cohere.newStreamReader(), readStreamBytes("cohere", name), 13);
    expect(parts).toMatchSnapshot("in pieces");
  });

  it("fails and is not complete if it breaks off", () => {
    const reader = cohere.newStreamReader();
    expect(() => readParts(reader, readStreamBytes("cohere", "error"))).toThrow("the model failed");
    expect(reader.isComplete()).toBe(false);
    expect(() => cohere.parseResponse({ message: "no" })).toThrow(StreamFailure);
  });

  it("contains the reason of a refusal", () => {
    expect(cohere.parseError(429, readResponse("cohere", "error")).message).toContain("Trial key");
    expect(cohere.account?.parseModelList?.({ models: [{ name: "command-a" }] })).toEqual(["command-a"]);
  });

  it("counts no cached tokens if it has billed units, since cached tokens refer to tokens read", () => {
    const [billed_units, tokens] = [
      { input_tokens: 290, output_tokens: 4 },
      { input_tokens: 400, output_tokens: 9 },
    ];
    const body = { message: { content: [] }, usage: { billed_units, tokens, cached_tokens: 100 } };
    expect(cohere.parseResponse(body).usage).toMatchObject({
      promptTokens: 290,
      completionTokens: 4,
      cacheReadTokens: 0,
    });
  });

  it("counts the tokens read and written if it has no billed units", () => {
    const body = { message: { content: [] }, usage: { tokens: { input_tokens: 3, output_tokens: 4 } } };
    expect(cohere.parseResponse(body).usage).toMatchObject({ promptTokens: 3, completionTokens: 4 });
  });
});
