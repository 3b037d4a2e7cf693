import { describe, expect, it } from "vitest";
import type { Dialect } from "../core/call/dialect.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

const PATH = { model: "m", stream: false };
const MESSAGES = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
const CONTENTS = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };
const CODE = { type: "code_execution_20250825", name: "code_execution" };
const CLAUDE_FN = { name: "clock", input_schema: { type: "object" } };
const OPENAI_FN = { type: "function", function: { name: "clock" } };
const MOONSHOT = { type: "builtin_function", function: { name: "$web_search" } };

type Row = [string, Dialect, object, "optional" | "required" | undefined];

describe("tool that only the format's own providers have", () => {
  it.each<Row>([
    ["functions", anthropicMessages, { ...MESSAGES, tools: [CLAUDE_FN] }, undefined],
    ["any region", anthropicMessages, { ...MESSAGES, inference_geo: "global" }, undefined],
    ["a plain search", anthropicMessages, { ...MESSAGES, tools: [{ type: "web_search_20250305" }] }, undefined],
    ["a tool that Anthropic runs", anthropicMessages, { ...MESSAGES, tools: [CODE, CLAUDE_FN] }, "optional"],
    ["an MCP server", anthropicMessages, { ...MESSAGES, tools: [{ type: "mcp_toolset" }] }, "optional"],
    ["functions", geminiGenerate, { ...CONTENTS, tools: [{ functionDeclarations: [] }] }, undefined],
    ["a plain search", geminiGenerate, { ...CONTENTS, tools: [{ googleSearch: {} }] }, undefined],
    ["a tool that Google runs", geminiGenerate, { ...CONTENTS, tools: [{ codeExecution: {} }] }, "optional"],
    ["functions", openAiChat, { ...MESSAGES, tools: [OPENAI_FN] }, undefined],
    ["a custom tool", openAiChat, { ...MESSAGES, tools: [{ type: "custom", custom: { name: "clock" } }] }, "optional"],
    ["a tool that the provider runs", openAiChat, { ...MESSAGES, tools: [MOONSHOT, OPENAI_FN] }, "optional"],
  ])("is omitted where it is optional: %s of %#", (_, dialect, body, own) => {
    expect(dialect.getOwnTools?.(body as never)).toBe(own);
    const { tools } = dialect.parseRequest(body, PATH);
    expect((tools ?? []).every(({ name }) => name === "clock")).toBe(true);
  });

  it.each<[string, Dialect, object, string]>([
    ["computer", anthropicMessages, { ...MESSAGES, tools: [{ type: "computer_20251124" }] }, "tools[0].type"],
    ["a region", anthropicMessages, { ...MESSAGES, inference_geo: "us" }, "inference_geo"],
    ["forced", anthropicMessages, { ...MESSAGES, tools: [CODE], tool_choice: { type: "any" } }, "tool_choice"],
    [
      "forced by name",
      anthropicMessages,
      { ...MESSAGES, tools: [CODE, CLAUDE_FN], tool_choice: { type: "tool", name: "code_execution" } },
      "tool_choice",
    ],
    ["computer use", geminiGenerate, { ...CONTENTS, tools: [{ computerUse: {} }] }, "tools[0].computerUse"],
    ["forced", openAiChat, { ...MESSAGES, tools: [MOONSHOT], tool_choice: "required" }, "tool_choice"],
  ])("is refused by name where it is required: %s", (_, dialect, body, param) => {
    expect(dialect.getOwnTools?.(body as never)).toBe("required");
    expect(() => dialect.parseRequest(body, PATH)).toThrow(
      expect.objectContaining({ code: "invalid_request", param }) as Error,
    );
  });

  it.each([
    ["bash_20250124", "bash", ["command", "restart"]],
    ["text_editor_20250124", "str_replace_editor", ["command", "path", "new_str"]],
    ["text_editor_20250728", "str_replace_based_edit_tool", ["command", "path", "insert_text"]],
    ["memory_20250818", "memory", ["command", "path", "insert_text", "old_path"]],
  ])("is a function where the caller runs it: %s", (type, name, parameters) => {
    const tools = [{ type, name }];
    const body = { ...MESSAGES, tools, tool_choice: { type: "tool", name } };
    expect(anthropicMessages.getOwnTools(body)).toBe("optional");
    const request = anthropicMessages.parseRequest(body);
    expect(request.toolChoice).toEqual({ type: "tool", name });
    expect(request.tools).toMatchObject([{ name }]);
    expect(Object.keys(request.tools?.[0]?.parameters["properties"] ?? {})).toEqual(expect.arrayContaining(parameters));
    const required = { ...MESSAGES, tools: [...tools, CODE], tool_choice: { type: "any" } };
    expect(anthropicMessages.parseRequest(required).toolChoice).toEqual({ type: "required" });
  });

  it("leaves the texts of earlier turns in which it ran", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "code_execution", input: {} },
      { type: "bash_code_execution_tool_result", tool_use_id: "s", content: {} },
      { type: "text", text: "It is 4." },
    ];
    const response = [{ role: "assistant", parts: [{ type: "text", text: "It is 4." }] }];
    const messages = [{ role: "assistant", content }];
    expect(anthropicMessages.parseRequest({ ...MESSAGES, messages })).toMatchObject({ messages: response });
    const parts = [{ executableCode: { code: "2+2" } }, { codeExecutionResult: { output: "4" } }, { text: "It is 4." }];
    expect(geminiGenerate.parseRequest({ contents: [{ role: "model", parts }] }, PATH)).toMatchObject({
      messages: response,
    });
  });
});
