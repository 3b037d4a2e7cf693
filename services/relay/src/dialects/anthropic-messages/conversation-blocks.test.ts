import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

const parse = (messages: readonly Json[], body: Json = {}) =>
  anthropicMessages.parseRequest({ model: "m", max_tokens: 9, messages, ...body });
const tool = (name: string): Json => ({ name, input_schema: { type: "object", properties: {} } });
const user = (...content: readonly Json[]): Json => ({ role: "user", content });
const text = (value: string): Json => ({ type: "text", text: value });

describe("tools that a conversation adds and withdraws", () => {
  const define = (name: string): Json => ({
    type: "tool_addition",
    tool: { type: "tool_definition", definition: tool(name) },
  });
  const add = (name: string): Json => ({ type: "tool_addition", tool: { type: "tool_reference", name } });
  const remove = (name: string): Json => ({ type: "tool_removal", tool: { type: "tool_reference", name } });
  const getNames = (messages: readonly Json[], tools?: readonly Json[]) =>
    parse(messages, tools && { tools }).tools?.map(({ name }) => name);

  it("join or leave the call's tools and are no content", () => {
    const messages = [user(text("hi"), define("late")), user(remove("early"), define("gone")), user(remove("gone"))];
    expect(getNames(messages, [tool("early"), tool("kept")])).toEqual(["kept", "late"]);
    expect(parse(messages).messages.flatMap(({ parts }) => parts)).toEqual([{ type: "text", text: "hi" }]);
  });

  it("are offered again by name, also after a compaction that keeps the change", () => {
    const messages = [
      user(text("hi"), remove("a")),
      user(add("a")),
      user({ type: "compaction", content: "So far: x.", tool_changes: [remove("b")] }),
    ];
    expect(getNames(messages, [tool("a"), tool("b")])).toEqual(["a"]);
  });

  it("return under their own names", () => {
    const messages = [user(text("hi"), define("files.read"))];
    const context = { requestId: "r", model: "m", includeUsage: false, createdAtSeconds: 1, requested: { messages } };
    const name = parse(messages).tools?.[0]?.name ?? "";
    const parts = [{ type: "tool-call" as const, id: "t", name, argumentsText: "{}" }];
    const response = {
      id: "",
      model: "",
      createdAtSeconds: 0,
      finishReason: "tool-calls" as const,
      usage: undefined,
      parts,
    };
    expect(anthropicMessages.writeResponse(response, context)).toMatchObject({ content: [{ name: "files.read" }] });
  });
});

describe("content block of Anthropic's", () => {
  it("is the summary that replaces what precedes it", () => {
    const messages = [
      user(text("old")),
      {
        role: "assistant",
        content: [text("old"), { type: "compaction", content: "So far: x.", signature: "s" }, text("new")],
      },
      user(text("Go on.")),
    ];
    expect(parse(messages).messages).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "text", text: "So far: x." },
          { type: "text", text: "new" },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "Go on." }] },
    ]);
    const failed = [user(text("old")), { role: "assistant", content: [{ type: "compaction", content: null }] }];
    expect(parse(failed).messages[0]?.parts).toEqual([{ type: "text", text: "old" }]);
  });

  it.each<[string, Json, string]>([
    ["a found tool", { type: "tool_reference", tool_name: "read" }, "Available now: read"],
    [
      "the browser's state",
      { type: "browser_state", tabs: [{ tab_id: "1", title: "T", url: "https://x" }] },
      '{"tabs":[{"tab_id":"1","title":"T","url":"https://x"}]}',
    ],
  ])("is text within a tool result: %s", (_, block, expected) => {
    const messages = [
      user(text("hi")),
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "find", input: {} }] },
      user({ type: "tool_result", tool_use_id: "t", content: [block] }),
    ];
    expect(parse(messages).messages[2]?.parts).toMatchObject([{ type: "tool-result", parts: [{ text: expected }] }]);
  });

  it.each<[Json]>([
    [{ type: "mcp_tool_listing", mcp_server_name: "s", tools: [] }],
    [{ type: "fallback", from: { model: "a" }, to: { model: "b" } }],
    [{ type: "advisor_tool_result", tool_use_id: "s", content: {} }],
  ])("is left out if a model need not understand it: $type", (block) => {
    expect(parse([user(text("hi"), block)]).messages).toEqual([
      { role: "user", parts: [{ type: "text", text: "hi" }] },
    ]);
  });

  it("is refused by name if it has no meaning", () => {
    expect(() => parse([user({ type: "txt", text: "hi" })])).toThrow("messages[0].content[0].type");
  });
});

describe("document", () => {
  const about = { title: "Clocks", context: "From the archive" };
  const getParts = (source: Json) => parse([user({ type: "document", source, ...about })]).messages[0]?.parts;

  it("keeps its title and the caller's context", () => {
    const words = text("Clocks\nFrom the archive");
    expect(getParts({ type: "text", media_type: "text/plain", data: "Noon." })).toEqual([words, text("Noon.")]);
    expect(getParts({ type: "content", content: [text("Noon.")] })).toEqual([words, text("Noon.")]);
    expect(getParts({ type: "base64", media_type: "application/pdf", data: "JVBERi0=" })).toEqual([
      text("From the archive"),
      { type: "file", name: "Clocks", mediaType: "application/pdf", data: "JVBERi0=" },
    ]);
  });

  it("goes by its URL to providers that fetch it, and is refused for others", () => {
    const request = parse([
      user({ type: "document", source: { type: "url", url: "https://a.example/1.pdf" }, ...about }, text("hi")),
    ]);
    const build = (channelType: number, model: string) => {
      const provider = findProvider(channelType);
      const exact = provider?.forModel?.(model) ?? provider;
      return exact?.buildRequest(request, targetFor({ channelType, model })).json;
    };
    expect(build(1, "gpt-5-codex")).toMatchObject({
      input: [{ content: [{}, { type: "input_file", file_url: "https://a.example/1.pdf" }, {}] }],
    });
    expect(build(24, "gemini-2.5-flash")).toMatchObject({
      contents: [
        { parts: [{}, { fileData: { mimeType: "application/pdf", fileUri: "https://a.example/1.pdf" } }, {}] },
      ],
    });
    expect(build(14, "claude-sonnet-4-5")).toMatchObject({
      messages: [{ content: [{}, { source: { type: "url", url: "https://a.example/1.pdf" }, title: "Clocks" }, {}] }],
    });
    for (const [type, model] of [
      [1, "gpt-4.1"],
      [34, "command-a"],
      [15, "ernie"],
    ] as const)
      expect(() => build(type, model)).toThrow("is not supported for this model");
  });
});
