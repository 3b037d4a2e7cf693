import { describe, expect, it } from "vitest";
import type { ChatResponse, Json, StreamPart } from "../core/chat/chat.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";

const PLACE = { city: "Oslo", region: "Oslo", country: "NO", timezone: "Europe/Oslo" };
const CLOCK = { name: "clock", input_schema: { type: "object" } };
const anthropicSearch = (fields: object = {}) => ({ type: "web_search_20250305", name: "web_search", ...fields });
const parseAnthropic = (fields: object) =>
  anthropicMessages.parseRequest({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "tides?" }],
    ...fields,
  });
const parseGemini = (fields: object) =>
  geminiGenerate.parseRequest(
    { contents: [{ role: "user", parts: [{ text: "tides?" }] }], ...fields },
    { model: "m", stream: false },
  );

describe("web search offered by Anthropic callers", () => {
  it.each([
    [{}, { contextSize: "medium" }],
    [{ max_uses: 1 }, { contextSize: "low" }],
    [{ max_uses: 5 }, { contextSize: "medium" }],
    [{ max_uses: 8 }, { contextSize: "high" }],
    [{ user_location: { type: "approximate", ...PLACE } }, { contextSize: "medium", userLocation: PLACE }],
    [{ user_location: { type: "approximate", city: "" } }, { contextSize: "medium" }],
    [{ allowed_domains: [] }, { contextSize: "medium" }],
  ])("is converted for every provider: %j", (fields, webSearch) => {
    const request = parseAnthropic({ tools: [anthropicSearch(fields)] });
    expect(request.webSearch).toEqual(webSearch);
    expect(request).not.toHaveProperty("tools");
  });

  it("is accepted next to tools, and cannot be forced", () => {
    const forced = { tool_choice: { type: "tool", name: "web_search" } };
    const both = parseAnthropic({ tools: [CLOCK, anthropicSearch()], ...forced });
    expect(both.tools?.map(({ name }) => name)).toEqual(["clock"]);
    expect(both).not.toHaveProperty("toolChoice");
    expect(parseAnthropic({ tools: [anthropicSearch()], tool_choice: { type: "any" } })).not.toHaveProperty(
      "toolChoice",
    );
    const clock = parseAnthropic({ tools: [CLOCK, anthropicSearch()], tool_choice: { type: "tool", name: "clock" } });
    expect(clock.toolChoice).toEqual({ type: "tool", name: "clock" });
    const own = parseAnthropic({ tools: [{ ...CLOCK, name: "web_search" }], ...forced });
    expect(own.toolChoice).toEqual({ type: "tool", name: "web_search" });
  });

  it.each([anthropicSearch({ allowed_domains: ["a.example"] }), anthropicSearch({ blocked_domains: ["a.example"] })])(
    "is omitted if other providers would ignore its restriction, unless the model must call it: %j",
    (tool) => {
      expect(parseAnthropic({ tools: [tool] })).not.toHaveProperty("webSearch");
      expect(() => parseAnthropic({ tools: [tool], tool_choice: { type: "any" } })).toThrow(
        expect.objectContaining({ code: "invalid_request", param: "tool_choice" }) as Error,
      );
    },
  );

  it("drops earlier search blocks and keeps their text", () => {
    const content = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
      { type: "text", text: "At noon.", citations: [{ type: "web_search_result_location", url: "https://a.example" }] },
    ];
    const { messages } = parseAnthropic({ messages: [{ role: "assistant", content }] });
    expect(messages).toEqual([{ role: "assistant", parts: [{ type: "text", text: "At noon." }] }]);
  });
});

describe("web search offered by Google callers", () => {
  it.each([{ googleSearch: {} }, { google_search: {} }, { googleSearchRetrieval: { dynamicRetrievalConfig: {} } }])(
    "is converted for every provider: %j",
    (tool) => {
      const request = parseGemini({ tools: [tool, { functionDeclarations: [{ name: "clock" }] }] });
      expect(request.webSearch).toEqual({ contextSize: "medium" });
      expect(request.tools?.map(({ name }) => name)).toEqual(["clock"]);
    },
  );
});

const TEXT = "Flut in Århus ist mittags. High tide is at noon.";
const [NORTH, SEA] = ["https://north.example", "https://sea.example"];
const citations = [
  { url: NORTH, title: "North", startIndex: 0, endIndex: 26 },
  { url: SEA, title: "Sea", startIndex: 27, endIndex: 48 },
  { url: NORTH, title: "North", startIndex: 27, endIndex: 48 },
];
const usage = {
  promptTokens: 9,
  completionTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  toolCalls: { google_search: 2, file_search: 7 },
};
const context = (tool: object) => ({
  requestId: "r1",
  model: "m",
  includeUsage: false,
  createdAtSeconds: 1,
  requested: { tools: [tool] },
});
const response: ChatResponse = {
  id: "x",
  model: "m",
  parts: [{ type: "text", text: TEXT }],
  citations,
  finishReason: "stop",
  createdAtSeconds: 1,
  usage,
};
const PARTS: readonly StreamPart[] = [
  { type: "start", id: "x", model: "m" },
  { type: "text-delta", text: TEXT.slice(0, 20) },
  { type: "text-delta", text: TEXT.slice(20) },
  { type: "finish", reason: "stop", citations, usage },
];
const getEvents = (texts: readonly string[]): Json[] =>
  texts
    .join("")
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice("data: ".length)) as Json] : []));

describe("citation of a response", () => {
  const location = (url: string, title: string) => ({
    type: "web_search_result_location",
    url,
    title,
    cited_text: "",
    encrypted_index: "",
  });
  const cited = [location(NORTH, "North"), location(SEA, "Sea"), location(NORTH, "North")];

  it("is part of Anthropic's text blocks, non-streaming and streaming, whose usage counts the searches", () => {
    const searches = { server_tool_use: { web_search_requests: 2 } };
    expect(anthropicMessages.writeResponse(response, context(anthropicSearch()))).toMatchObject({
      content: [{ type: "text", text: TEXT, citations: cited }],
      usage: searches,
    });
    const writer = anthropicMessages.newStreamWriter(context(anthropicSearch()));
    const events = getEvents(PARTS.map((part) => writer.write(part)));
    const deltas = events.flatMap(({ delta, index }) => (delta && index === 0 ? [delta as Json] : []));
    expect(deltas.slice(2)).toEqual(cited.map((citation) => ({ type: "citations_delta", citation })));
    expect(events.at(-2)).toMatchObject({ type: "message_delta", usage: searches });
    expect(events.map(({ type }) => type).slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  });

  it("is attached to the text that it belongs to", () => {
    const [first, second] = [TEXT.slice(0, 27), TEXT.slice(27)];
    const parts = [
      { type: "text", text: first },
      { type: "text", text: second },
    ] as const;
    expect(anthropicMessages.writeResponse({ ...response, parts }, context(anthropicSearch()))).toMatchObject({
      content: [
        { text: first, citations: cited.slice(0, 1) },
        { text: second, citations: cited.slice(1) },
      ],
    });
  });

  it("is Google's grounding metadata with byte offsets, non-streaming and streaming", () => {
    const support = (startIndex: number, endIndex: number, text: string, chunk: number) => ({
      segment: { startIndex, endIndex, text },
      groundingChunkIndices: [chunk],
    });
    const groundingMetadata = {
      webSearchQueries: [],
      groundingChunks: [{ web: { uri: NORTH, title: "North" } }, { web: { uri: SEA, title: "Sea" } }],
      groundingSupports: [
        support(0, 27, "Flut in Århus ist mittags.", 0),
        support(28, 49, "High tide is at noon.", 1),
        support(28, 49, "High tide is at noon.", 0),
      ],
    };
    expect(geminiGenerate.writeResponse(response, context({ googleSearch: {} }))).toMatchObject({
      candidates: [{ content: { parts: [{ text: TEXT }] }, groundingMetadata }],
    });
    // Some models search without being offered it.
    for (const requested of [context({ googleSearch: {} }), context({})]) {
      const writer = geminiGenerate.newStreamWriter(requested);
      const events = getEvents(PARTS.map((part) => writer.write(part)));
      expect(events.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP", groundingMetadata }] });
      expect(events[0]).not.toHaveProperty("candidates.0.groundingMetadata");
    }
  });

  it("is omitted if there is none", () => {
    const { citations: _citations, ...plain } = { ...response, usage: { ...usage, toolCalls: {} } };
    expect(JSON.stringify(anthropicMessages.writeResponse(plain, context(CLOCK)))).not.toMatch(/citations|server_tool/);
    expect(JSON.stringify(geminiGenerate.writeResponse(plain, context({})))).not.toContain("grounding");
  });
});
