import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { getOwnField } from "./responses-request.ts";

const path = { model: "m", stream: false };
const parse = (body: Json) => openAiResponses.parseRequest({ model: "m", ...body }, path);
const CHOICE = "tool_choice.allowed_tools.tools[0].function.name";

describe("responses request on a chat-only channel", () => {
  it("carries text, instructions, tools, format and effort", () => {
    const request = parse({
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "In German." },
        { role: "user", content: [{ type: "input_text", text: "Hi" }] },
      ],
      tools: [{ type: "function", name: "f", parameters: { type: "object" }, strict: true }],
      tool_choice: { type: "function", name: "f" },
      text: { format: { type: "json_schema", name: "s", schema: { type: "object" } } },
      reasoning: { effort: "low" },
      max_output_tokens: 50,
    });
    expect(request).toMatchObject({
      system: [{ text: "Be brief." }, { text: "In German." }],
      messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      tools: [{ name: "f", strict: true }],
      toolChoice: { type: "tool", name: "f" },
      responseFormat: { type: "json-schema", name: "s" },
      reasoning: { effort: "low" },
      maxOutputTokens: 50,
    });
  });

  it("leaves the search to the model if the tool choice is the search", () => {
    const search = { type: "web_search" };
    const tools = [search, { type: "function", name: "f" }];
    const chosen = (choice: object) => parse({ input: "x", tools, tool_choice: choice });
    expect(chosen(search)).toMatchObject({ toolChoice: { type: "auto" }, webSearch: { contextSize: "medium" } });
    const allowed = { type: "allowed_tools", mode: "auto", tools: [search, { type: "function", name: "f" }] };
    expect(chosen(allowed).tools).toMatchObject([{ name: "f" }]);
  });

  it("merges parallel calls into one turn and their results into the next, and omits earlier reasoning", () => {
    const { messages } = parse({
      input: [
        { role: "user", content: "Weather?" },
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "item_reference", id: "rs_2" },
        { type: "function_call", call_id: "a", name: "w", arguments: "{}" },
        { type: "function_call", call_id: "b", name: "w", arguments: '{"x":1}' },
        { type: "function_call_output", call_id: "a", output: "sun" },
        { type: "function_call_output", call_id: "b", output: "rain" },
      ],
    });
    expect(messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["tool-call", "tool-call"]],
      ["user", ["tool-result", "tool-result"]],
    ]);
  });

  it("may offer a web search next to its tools, converted to that of chat", () => {
    const user_location = { type: "approximate", city: "Zürich", country: "CH" };
    const search = { type: "web_search", search_context_size: "high", user_location };
    const tools = [{ type: "function", name: "f", parameters: {} }, search];
    const found = { type: "web_search_call", id: "ws_1", status: "completed" };
    const request = parse({ tools, input: [{ role: "user", content: "x" }, found] });
    expect(request.tools?.map(({ name }) => name)).toEqual(["f"]);
    expect(request.webSearch).toEqual({ contextSize: "high", userLocation: { city: "Zürich", country: "CH" } });
    expect(request.messages).toHaveLength(1);
    expect(getOwnField({ tools })).toBeUndefined();
    expect(openAiResponses.endpoint?.isPartialOverChat?.({ tools })).toBe(true);
    expect(openAiResponses.endpoint?.isPartialOverChat?.({ tools: tools.slice(0, 1) })).toBe(false);
    expect(parse({ input: "x", tools: [{ type: "web_search_preview" }] }).webSearch).toEqual({ contextSize: "medium" });
  });

  it.each([
    ["none", false],
    ["auto", true],
    [{ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] }, false],
    [{ type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] }, true],
  ])("searches the web only if the tool choice allows it: %j", (tool_choice, searches) => {
    const tools = [{ type: "function", name: "f", parameters: {} }, { type: "web_search" }];
    expect(parse({ tools, input: "x", tool_choice }).webSearch !== undefined).toBe(searches);
  });

  it("may send an image at original detail, which chat calls high", () => {
    const image = { type: "input_image", image_url: "https://x.test/a.png", detail: "original" };
    const { messages } = parse({ input: [{ role: "user", content: [image] }] });
    expect(messages[0]?.parts).toEqual([
      { type: "image", source: { kind: "url", url: "https://x.test/a.png" }, detail: "high" },
    ]);
  });

  it("may leave the model a choice among some of its tools", () => {
    const tools = ["a", "b"].map((name) => ({ type: "function", name, parameters: null, strict: null }));
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "b" }] };
    const request = parse({ input: "x", tools, tool_choice: allowed });
    expect(request.toolChoice).toEqual({ type: "required" });
    expect(request.tools?.map(({ name }) => name)).toEqual(["b"]);
  });

  it.each<[string, Json, string]>([
    ["a reference without a type", { input: [{ id: "msg_x" }] }, "input[0].type"],
    ["a choice among tools without names", { input: "x", tool_choice: { type: "allowed_tools", tools: [{}] } }, CHOICE],
    ["a reference", { input: [{ type: "item_reference", id: "x" }] }, "input[0].type"],
    ["an unknown role", { input: [{ role: "robot", content: "x" }] }, "input[0].role"],
    ["an unknown part", { input: [{ role: "user", content: [{ type: "smell" }] }] }, "input[0].content[0].type"],
    [
      "a file by URL",
      { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://x.test/a.pdf" }] }] },
      "input[0].content[0].file_data",
    ],
    [
      "an image by id",
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
      "input[0].content[0].image_url",
    ],
    [
      "a call without a name",
      { input: [{ type: "function_call", call_id: "a" }] },
      "input[0].tool_calls[0].function.name",
    ],
    ["state", { input: "x", previous_response_id: "resp_1" }, "previous_response_id"],
    [
      "a forced tool of OpenAI's own",
      { input: "x", tools: [{ type: "file_search" }], tool_choice: { type: "file_search" } },
      "tool_choice",
    ],
    [
      "a required call without a tool that chat has",
      { input: "x", tools: [{ type: "mcp", server_label: "a" }], tool_choice: "required" },
      "tool_choice",
    ],
    ["a namespace without tools", { input: "x", tools: [{ type: "namespace", name: "a" }] }, "tools[0].tools"],
    [
      "a tool of a namespace without a name",
      { input: "x", tools: [{ type: "namespace", name: "a", tools: [{ type: "function" }] }] },
      "tools[0].tools[0].name",
    ],
    ["a tool without a type", { input: "x", tools: [{ name: "a" }] }, "tools[0].type"],
  ])("is refused with the field's name for %s", (_, body, param) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });

  it.each([true, false])("takes background as a boolean alone (stream: %s)", (stream) => {
    const body = { model: "m", input: "x", stream };
    const invalid = { code: "invalid_request", param: "background" };
    const read = (background: unknown) => openAiResponses.readFields({ ...body, background }, undefined);
    expect(() => read("true")).toThrow(expect.objectContaining(invalid));
    for (const background of [true, false, null]) expect(read(background)).toMatchObject({ stream });
  });

  it.each([
    ["previous_response_id", 5],
    ["conversation", 5],
    ["conversation.id", {}],
    ["prompt", "pmpt_1"],
    ["prompt.id", { id: 5 }],
  ])("names a reference to stored state that is no id: %s", (param, value) => {
    const body = { model: "m", input: "x", [param.split(".")[0] as string]: value };
    const invalid = { code: "invalid_request", param };
    expect(() => openAiResponses.readFields(body, undefined)).toThrow(expect.objectContaining(invalid));
  });

  it("requires the provider's own API only for what it stores or must run itself", () => {
    expect(getOwnField({ input: "x", previous_response_id: null, tools: [] })).toBeUndefined();
    expect(getOwnField({ input: "x", tools: [{ type: "function" }, { type: "mcp" }] })).toBeUndefined();
    expect(getOwnField({ input: "x", tools: [{ type: "mcp" }], tool_choice: { type: "mcp" } })).toBe("tool_choice");
  });
});
