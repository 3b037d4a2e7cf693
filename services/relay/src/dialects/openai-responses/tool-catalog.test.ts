import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { asObject, asObjects } from "../../core/chat/json.ts";
import { openAiResponses } from "./openai-responses.ts";

const fn = (name: string): Json => ({ type: "function", name, parameters: { type: "object", properties: {} } });
const namespace = (name: string, ...tools: Json[]): Json => ({ type: "namespace", name, description: "x", tools });
const patch = { type: "custom", name: "apply_patch", description: "Edits." };
const search = {
  type: "tool_search",
  execution: "client",
  description: "Finds tools.",
  parameters: { type: "object" },
};

/** What Codex offers with an MCP server and its default settings. */
const CODEX: readonly Json[] = [
  fn("exec"),
  namespace("mcp__files__", fn("read"), patch),
  namespace("multi_agent", fn("read"), fn("spawn.agent")),
  search,
  { type: "local_shell" },
  { type: "web_search", external_web_access: false },
  { type: "image_generation", output_format: "png" },
];

const parse = (body: Json) => openAiResponses.parseRequest({ model: "m", ...body }, { model: "m", stream: false });
const context = (tools: readonly Json[]) => ({
  requestId: "r",
  model: "m",
  includeUsage: true,
  createdAtSeconds: 1,
  requested: { tools },
});

const getNames = (tools: readonly Json[], body: Json = { input: "x" }) =>
  (parse({ ...body, tools }).tools ?? []).map(({ name }) => name);

const callAll = (tools: readonly Json[], calls: readonly [name: string, argumentsText: string][]): Json[] => {
  const parts = calls.map(([name, argumentsText], at) => ({
    type: "tool-call" as const,
    id: `c${at}`,
    name,
    argumentsText,
  }));
  const response = { id: "", model: "", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: undefined };
  return asObjects(asObject(openAiResponses.writeResponse({ ...response, parts }, context(tools)))?.["output"]);
};

describe("tool of an agent through chat", () => {
  it("becomes a function with a unique name that every provider accepts, or is omitted if a provider runs it", () => {
    const names = getNames(CODEX);
    expect(names.slice(0, 4)).toEqual(["exec", "mcp__files__read", "mcp__files__apply_patch", "multi_agent__read"]);
    expect(names[4]).toMatch(/^multi_agent__spawn_agent_[0-9a-f]{8}$/);
    expect(names.slice(5)).toEqual(["tool_search", "local_shell"]);
    expect(
      parse({ input: "x", tools: [{ type: "image_generation" }], tool_choice: "auto" }).toolChoice,
    ).toBeUndefined();
  });

  it("keeps its name distinct from the same name of another tool", () => {
    const names = getNames([fn("a__b"), namespace("a", fn("b")), namespace("a__", fn("b"))]);
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toBe("a__b");
  });

  it("returns with namespace and name, as the item of its kind", () => {
    const [, , , , spawn = ""] = getNames(CODEX);
    const items = callAll(CODEX, [
      ["mcp__files__read", "{}"],
      [spawn, "{}"],
      ["mcp__files__apply_patch", '{"input":"p"}'],
      ["tool_search", '{"query":"q"}'],
      ["local_shell", '{"command":["ls","-l"],"working_directory":"/tmp"}'],
      ["exec", "{}"],
    ]);
    expect(items).toMatchObject([
      { type: "function_call", namespace: "mcp__files__", name: "read" },
      { type: "function_call", namespace: "multi_agent", name: "spawn.agent" },
      { type: "custom_tool_call", namespace: "mcp__files__", name: "apply_patch", input: "p" },
      { type: "tool_search_call", execution: "client", arguments: { query: "q" } },
      { type: "local_shell_call", action: { type: "exec", command: ["ls", "-l"], env: {}, working_directory: "/tmp" } },
      { type: "function_call", name: "exec" },
    ]);
    expect(items[5]).not.toHaveProperty("namespace");
  });

  it("returns with namespace and name in a stream", () => {
    const parts: StreamPart[] = [
      { type: "tool-call-start", index: 0, id: "a", name: "mcp__files__read" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
      { type: "tool-call-start", index: 1, id: "b", name: "local_shell" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"command":"ls"}' },
      { type: "finish", reason: "tool-calls", usage: undefined },
    ];
    const writer = openAiResponses.newStreamWriter(context(CODEX));
    const frames = parts
      .map((part) => writer.write(part))
      .join("")
      .trim()
      .split("\n\n");
    const events = frames.map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Json);
    expect(events).toMatchObject([
      { type: "response.output_item.added", item: { type: "function_call", namespace: "mcp__files__", name: "read" } },
      { type: "response.function_call_arguments.delta" },
      { type: "response.function_call_arguments.done", name: "read" },
      { type: "response.output_item.done", item: { namespace: "mcp__files__", name: "read", arguments: "{}" } },
      { type: "response.output_item.added", item: { type: "local_shell_call", action: { command: [] } } },
      { type: "response.output_item.done", item: { action: { command: ["bash", "-lc", "ls"] } } },
      { type: "response.completed" },
    ]);
  });

  it("keeps its earlier calls and results, and is offered if a search found it", () => {
    const found = namespace("mcp__mail__", fn("send"));
    const body = {
      input: [
        { role: "user", content: "x" },
        { type: "function_call", call_id: "a", namespace: "mcp__files__", name: "read", arguments: "{}" },
        { type: "function_call_output", call_id: "a", output: "text" },
        { type: "tool_search_call", call_id: "b", execution: "client", arguments: { query: "mail" } },
        { type: "tool_search_output", call_id: "b", execution: "client", tools: [found] },
        { type: "local_shell_call", call_id: "c", action: { type: "exec", command: ["ls"], env: {} } },
        { type: "local_shell_call_output", id: "c", output: "a.txt" },
        { type: "mcp_call", id: "mcp_1", name: "x", server_label: "y", arguments: "{}" },
      ],
    };
    expect(getNames(CODEX, body)).toContain("mcp__mail__send");
    const parts = parse({ ...body, tools: CODEX }).messages.flatMap((message) => message.parts);
    expect(parts).toMatchObject([
      { type: "text" },
      { type: "tool-call", name: "mcp__files__read", argumentsText: "{}" },
      { type: "tool-result", parts: [{ text: "text" }] },
      { type: "tool-call", name: "tool_search", argumentsText: '{"query":"mail"}' },
      { type: "tool-result", parts: [{ text: "Available now: mcp__mail__send" }] },
      { type: "tool-call", name: "local_shell", argumentsText: '{"command":["ls"]}' },
      { type: "tool-result", parts: [{ text: "a.txt" }] },
    ]);
  });

  it("may be chosen by namespace and name, or by namespace", () => {
    const chosen = (tool_choice: Json) => parse({ input: "x", tools: CODEX, tool_choice });
    const read = { type: "function", namespace: "mcp__files__", name: "read" };
    expect(chosen(read).toolChoice).toEqual({ type: "tool", name: "mcp__files__read" });
    expect(chosen({ type: "local_shell" }).toolChoice).toEqual({ type: "tool", name: "local_shell" });
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "namespace", name: "mcp__files__" }] };
    expect(chosen(allowed).tools).toHaveLength(2);
  });
});
