import { describe, expect, it } from "vitest";
import type { ChatRequest, Json, StreamPart } from "../../core/chat/chat.ts";
import { reasoningAsText } from "../../pipeline/prepare/reasoning-as-text.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { anthropic } from "../anthropic/anthropic.ts";
import { bedrock } from "../bedrock/bedrock.ts";
import { readResponse, readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import { gemini } from "../gemini/gemini.ts";
import type { Provider } from "../contract/provider.ts";

const CONTEXT = { requestId: "r1", model: "m", includeUsage: true, createdAtSeconds: 1 };
const FUNCTION = { type: "function", function: { name: "clock", parameters: { type: "object" } } };
const parse = (fields: object) =>
  openAiChat.parseRequest({ model: "m", messages: [{ role: "user", content: "tides?" }], ...fields });
const toClaude = (fields: object, model = "claude-sonnet-4-5") =>
  anthropic.buildRequest(parse(fields), targetFor({ channelType: 14, model })).json;
const toGemini = (fields: object, model = "gemini-2.5-flash") =>
  gemini.buildRequest(parse(fields), targetFor({ channelType: 24, model })).json;

const place = { city: "Oslo", region: "Oslo", country: "NO", timezone: "Europe/Oslo" };
const at = (approximate: object) => ({ user_location: { type: "approximate", approximate } });

describe("web_search_options for Claude", () => {
  it.each([
    [{}, { max_uses: 5 }],
    [{ search_context_size: "low" }, { max_uses: 1 }],
    [{ search_context_size: "medium" }, { max_uses: 5 }],
    [{ search_context_size: "high" }, { max_uses: 10 }],
    [at(place), { max_uses: 5, user_location: { type: "approximate", ...place } }],
    [at({ country: "NO", city: "" }), { max_uses: 5, user_location: { type: "approximate", country: "NO" } }],
    [at({}), { max_uses: 5 }],
  ])("becomes Anthropic's own search: %j", (options, tool) => {
    expect(toClaude({ web_search_options: options })).toMatchObject({
      tools: [{ type: "web_search_20250305", name: "web_search", ...tool }],
    });
    const [written] = toClaude({ web_search_options: options })["tools"] as Json[];
    expect(written).toEqual({ type: "web_search_20250305", name: "web_search", ...tool });
  });

  it("is kept next to the caller's tools, and alone if only the conversation has calls", () => {
    const both = toClaude({ web_search_options: {}, tools: [FUNCTION] })["tools"] as Json[];
    expect(both.map(({ name }) => name)).toEqual(["clock", "web_search"]);
    const messages = [
      { role: "user", content: "time?" },
      { role: "assistant", tool_calls: [{ id: "c1", type: "function", function: { name: "clock", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c1", content: "12:00" },
    ];
    const body = toClaude({ web_search_options: {}, messages });
    expect((body["tools"] as Json[]).map(({ name }) => name)).toEqual(["web_search"]);
    expect(body["tool_choice"]).toBeUndefined();
  });

  it("is not disabled by a forced JSON response", () => {
    const response_format = { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } };
    const body = toClaude({ web_search_options: {}, response_format }, "claude-3-5-sonnet-20241022");
    expect(body["tool_choice"]).toBeUndefined();
    expect(body["system"]).toContain("JSON");
  });

  it("is refused next to a tool of the same name, and if invalid in OpenAI's format", () => {
    const named = { type: "function", function: { name: "web_search" } };
    expect(() => toClaude({ web_search_options: {}, tools: [named] })).toThrow(RelayError);
    expect(() => parse({ web_search_options: { search_context_size: "huge" } })).toThrow("search_context_size");
    expect(() => parse({ web_search_options: at({ city: 1 }) })).toThrow("user_location.approximate.city");
  });

  it("is not sent to Bedrock, which has no web search", () => {
    const target = targetFor({ channelType: 33, key: "a|b|us-east-1", model: "claude-sonnet-4-5-20250929" });
    expect(bedrock.buildRequest(parse({ web_search_options: {} }), target).json["tools"]).toBeUndefined();
  });
});

describe("web_search_options for Gemini", () => {
  it("becomes Google's search, once, except with functions, which Google refuses together with search", () => {
    expect(toGemini({ web_search_options: at(place) })["tools"]).toEqual([{ googleSearch: {} }]);
    const own = { type: "function", function: { name: "googleSearch" } };
    expect(toGemini({ web_search_options: {}, tools: [own] })["tools"]).toEqual([{ googleSearch: {} }]);
    for (const model of ["gemini-2.5-flash", "gemini-3-flash-preview"]) {
      const { tools } = toGemini({ web_search_options: {}, tools: [FUNCTION] }, model);
      expect(tools).toEqual([{ functionDeclarations: [expect.objectContaining({ name: "clock" })] }]);
    }
  });

  it("turns a JSON format into an instruction before the third generation", () => {
    const fields = { web_search_options: {}, response_format: { type: "json_object" } };
    expect(toGemini(fields)["generationConfig"]).not.toHaveProperty("responseMimeType");
    expect(toGemini(fields, "gemini-3-flash-preview")["generationConfig"]).toHaveProperty("responseMimeType");
  });
});

type Annotation = {
  type: string;
  url_citation: { start_index: number; end_index: number; title: string; url: string };
};
type Message = { content: string; annotations?: Annotation[] };

function completeMessage(provider: Provider): Message {
  const response = provider.parseResponse(readResponse(provider.name, "search"));
  const written = openAiChat.writeResponse(response, CONTEXT) as { choices: [{ message: Message }] };
  return written.choices[0].message;
}

/** Joins the chunks of a stream like OpenAI's clients. */
function streamedMessage(parts: readonly StreamPart[]): Message {
  const writer = openAiChat.newStreamWriter(CONTEXT);
  const message: Message = { content: "" };
  for (const line of parts
    .map((part) => writer.write(part))
    .join("")
    .split("\n\n")) {
    if (!line.startsWith("data: {")) continue;
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: Partial<Message> }[] };
    message.content += choices[0]?.delta.content ?? "";
    if (choices[0]?.delta.annotations) message.annotations = choices[0].delta.annotations;
  }
  return message;
}

const cited = ({ content, annotations = [] }: Message) =>
  annotations.map(({ type, url_citation: { start_index, end_index, title, url } }) => [
    type,
    content.slice(start_index, end_index),
    title,
    url,
  ]);

describe("web search of Anthropic and Google callers", () => {
  it("is requested from the other provider, and not from providers without search", () => {
    const ofAnthropic = anthropicMessages.parseRequest({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "tides?" }],
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 1 }],
    });
    const ofGoogle = geminiGenerate.parseRequest(
      { contents: [{ role: "user", parts: [{ text: "tides?" }] }], tools: [{ googleSearch: {} }] },
      { model: "m", stream: false },
    );
    const sent = (request: ChatRequest, provider: Provider, channelType: number, model: string) =>
      provider.buildRequest(request, targetFor({ channelType, model })).json["tools"];
    expect(sent(ofAnthropic, gemini, 24, "gemini-2.5-flash")).toEqual([{ googleSearch: {} }]);
    expect(sent(ofGoogle, anthropic, 14, "claude-sonnet-4-5")).toEqual([
      { type: "web_search_20250305", name: "web_search", max_uses: 5 },
    ]);
    for (const request of [ofAnthropic, ofGoogle])
      expect(sent(request, bedrock, 33, "anthropic.claude-3-5-sonnet-20241022-v2:0")).toBeUndefined();
  });
});

describe("citation in OpenAI's format", () => {
  const CLAUDE = [["url_citation", "High tide is at noon.", "Tides", "https://tides.example/oslo"]];
  const GEMINI = [
    ["url_citation", "Flut in Århus ist mittags.", "tides.example", "https://search.example/redirect/1"],
    ["url_citation", "High tide is at noon.", "tides.example", "https://search.example/redirect/1"],
    ["url_citation", "High tide is at noon.", "sea.example", "https://search.example/redirect/2"],
  ];
  it.each([
    ["Claude's", anthropic, CLAUDE],
    ["Gemini's", gemini, GEMINI],
  ])("of %s is an annotation for the cited text, non-streaming and streaming", (_, provider, expected) => {
    expect(cited(completeMessage(provider))).toEqual(expected);
    const parts = readParts(provider.newStreamReader(), readStreamBytes(provider.name, "search"), 97);
    expect(cited(streamedMessage(parts))).toEqual(expected);
  });

  it("is shifted by reasoning put in front of the text", () => {
    const response = anthropic.parseResponse(readResponse("anthropic", "search"));
    const thinking = { ...response, parts: [{ type: "reasoning" as const, text: "hm" }, ...response.parts] };
    const { choices } = openAiChat.writeResponse(reasoningAsText(thinking), CONTEXT) as {
      choices: [{ message: Message }];
    };
    expect(cited(choices[0].message)).toEqual(CLAUDE);
  });

  it("applies to the complete text if it has no range; a response without citations has no annotations", () => {
    const response = readResponse("gemini", "search") as { candidates: [{ groundingMetadata: Json }] };
    const { groundingSupports: _supports, ...metadata } = response.candidates[0].groundingMetadata;
    const bare = { ...response, candidates: [{ ...response.candidates[0], groundingMetadata: metadata }] };
    expect(gemini.parseResponse(bare).citations).toMatchObject([
      { startIndex: 0, endIndex: 48 },
      { startIndex: 0, endIndex: 48 },
    ]);
    const plain = anthropic.parseResponse(readResponse("anthropic", "text"));
    expect(plain).not.toHaveProperty("citations");
    expect(openAiChat.writeResponse(plain, CONTEXT)).not.toHaveProperty("choices.0.message.annotations");
  });
});

describe("search of a response", () => {
  it("is counted as a call of the provider's own tool, non-streaming and streaming", () => {
    const calls = (provider: Provider) => {
      const finish = readParts(provider.newStreamReader(), readStreamBytes(provider.name, "search")).at(-1);
      return [
        provider.parseResponse(readResponse(provider.name, "search")).usage?.toolCalls,
        finish?.type === "finish" ? finish.usage?.toolCalls : undefined,
      ];
    };
    expect(calls(anthropic)).toEqual([{ web_search: 2 }, { web_search: 2 }]);
    expect(calls(gemini)).toEqual([{ google_search: 2 }, { google_search: 2 }]);
  });

  it("counts Gemini's searches even if no usage is reported", () => {
    const { usageMetadata: _usage, ...response } = readResponse("gemini", "search") as Json;
    const expected = { promptTokens: 0, completionTokens: 0, toolCalls: { google_search: 2 } };
    expect(gemini.parseResponse(response).usage).toMatchObject(expected);
    const reader = gemini.newStreamReader();
    reader.read({ event: undefined, data: JSON.stringify(response) });
    expect(reader.end()).toMatchObject([{ type: "finish", usage: expected }]);
  });
});
