import { describe, expect, it } from "vitest";
import type { ChatMessage, Json, StreamPart } from "../../core/chat/chat.ts";
import { asObjects } from "../../core/chat/json.ts";
import { openAiResponses } from "./openai-responses.ts";
import { getOwnField } from "./responses-request.ts";

const PATH = { model: "m", stream: false };
const parse = (body: Json) => openAiResponses.parseRequest({ model: "m", ...body }, PATH);
const fn = (name: string): Json => ({ type: "function", name, parameters: { type: "object", properties: {} } });
const USER = { role: "user", content: "hi" };
const IMAGE = "data:image/png;base64,AAAA";

/** The messages of a conversation that goes on after some items, without the user's. */
const parseItems = (...items: readonly Json[]): readonly ChatMessage[] =>
  parse({ input: [USER, ...items, { role: "user", content: "Go on." }] }).messages;
const getParts = (...items: readonly Json[]) =>
  parseItems(...items)
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type !== "text");

describe("items that add tools to a conversation", () => {
  const input = [
    {
      type: "additional_tools",
      role: "developer",
      tools: [
        fn("exec"),
        { type: "custom", name: "apply_patch" },
        { type: "namespace", name: "mcp__a__", description: "A", tools: [fn("read")] },
        { type: "web_search" },
      ],
    },
    USER,
  ];

  it("join the call's tools, a web search included, and are no message", () => {
    const request = parse({ input, tools: [fn("wait")] });
    expect(request.tools?.map(({ name }) => name)).toEqual(["wait", "exec", "apply_patch", "mcp__a__read"]);
    expect(request.webSearch).toMatchObject({ contextSize: "medium" });
    expect(request.messages).toEqual([{ role: "user", parts: [{ type: "text", text: "hi" }] }]);
  });

  it("count where the model must call a tool, and where channels with the API come first", () => {
    expect(getOwnField({ input, tools: [{ type: "mcp" }], tool_choice: "required" })).toBeUndefined();
    expect(getOwnField({ input: [USER], tools: [{ type: "mcp" }], tool_choice: "required" })).toBe("tool_choice");
    expect(openAiResponses.endpoint?.isPartialOverChat?.({ input })).toBe(true);
  });
});

describe("input item of a tool that the caller runs", () => {
  const shellCall = {
    type: "shell_call",
    call_id: "s",
    action: { commands: ["ls"], timeout_ms: 5 },
    status: "completed",
  };
  const operation = { type: "update_file", path: "a", diff: "+b" };
  const actions = [{ type: "click", button: "left", x: 1, y: 2 }];
  const computerCall = { type: "computer_call", id: "c", call_id: "c", pending_safety_checks: [], status: "completed" };

  it.each<[string, Json, string, Json]>([
    ["shell_call", shellCall, "shell", shellCall.action],
    [
      "apply_patch_call",
      { type: "apply_patch_call", call_id: "p", operation, status: "completed" },
      "apply_patch",
      operation,
    ],
    ["computer_call", { ...computerCall, actions }, "computer", { actions }],
    ["computer_call of one action", { ...computerCall, action: actions[0] }, "computer", { actions }],
  ])("%s is a call", (_, item, name, input) => {
    const [call] = getParts(item);
    expect(call).toMatchObject({ type: "tool-call", name });
    expect(JSON.parse(call?.type === "tool-call" ? call.argumentsText : "")).toEqual(input);
  });

  const exit = (code: number): Json => ({ type: "exit", exit_code: code });
  it.each<[string, Json, object]>([
    [
      "shell_call_output",
      {
        type: "shell_call_output",
        call_id: "s",
        output: [
          { stdout: "a", stderr: "b", outcome: exit(2) },
          { stdout: "c", stderr: "", outcome: exit(0) },
          { stdout: "", stderr: "", outcome: { type: "timeout" } },
        ],
      },
      { type: "text", text: "a\nb\nexit code 2\nc\ntimed out" },
    ],
    [
      "apply_patch_call_output",
      { type: "apply_patch_call_output", call_id: "p", status: "failed", output: "no such file" },
      { type: "text", text: "failed: no such file" },
    ],
    [
      "computer_call_output",
      { type: "computer_call_output", call_id: "c", output: { type: "computer_screenshot", image_url: IMAGE } },
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } },
    ],
  ])("%s is a result", (_, item, part) => {
    expect(getParts(item)).toMatchObject([{ type: "tool-result", id: item["call_id"], parts: [part] }]);
  });
});

describe("input item that a model need not understand", () => {
  it.each<[Json]>([
    [{ type: "program", id: "p", call_id: "p", code: "1", fingerprint: "f" }],
    [{ type: "program_output", id: "p", call_id: "p", result: "1", status: "completed" }],
    [{ type: "image_generation_call", id: "i", result: null, status: "failed" }],
    [{ type: "code_interpreter_call", id: "i", code: "1", container_id: "c", outputs: [], status: "completed" }],
    [{ type: "file_search_call", id: "f", queries: [], status: "completed" }],
    [{ type: "web_search_call", id: "w", action: { type: "search", query: "x" }, status: "completed" }],
    [{ type: "mcp_list_tools", id: "m", server_label: "s", tools: [] }],
    [{ type: "mcp_call", id: "m", arguments: "{}", name: "x", server_label: "s" }],
    [{ type: "mcp_approval_request", id: "m", arguments: "{}", name: "x", server_label: "s" }],
    [{ type: "mcp_approval_response", approval_request_id: "m", approve: true }],
    [{ type: "compaction_trigger" }],
  ])("is left out: $type", (item) => {
    expect(parseItems(item).flatMap(({ parts }) => parts)).toEqual([
      { type: "text", text: "hi" },
      { type: "text", text: "Go on." },
    ]);
  });

  it("has the image that a provider made, which the user refers to", () => {
    const item = { type: "image_generation_call", id: "i", result: "/9j/4AAQSkZJRg==", status: "completed" };
    const image = { kind: "base64", mediaType: "image/jpeg", data: "/9j/4AAQSkZJRg==" };
    expect(parseItems(item)[1]).toEqual({ role: "assistant", parts: [{ type: "image", source: image }] });
  });

  it.each([
    ["compaction", "cannot be read by this model"],
    ["mesage", "is not supported for this model"],
  ])("but %s is refused by name: the conversation would be incomplete", (type, why) => {
    expect(() => parseItems({ type, encrypted_content: "x" })).toThrow(`input[1].type: ${why}`);
  });

  it("is refused with the reason if it is an image or a file by id", () => {
    const content = [{ type: "input_image", file_id: "file-1", detail: "auto" }];
    expect(() => parseItems({ role: "user", content })).toThrow("input[1].content[0].image_url: is required");
  });
});

describe("shell and patch tool through chat", () => {
  const tools = [{ type: "shell", environment: { type: "local" } }, { type: "apply_patch" }];
  const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested: { tools } };
  const shellArguments = '{"commands":["ls"],"timeout_ms":5}';
  const patchArguments = '{"type":"create_file","path":"a","diff":"+b"}';
  const expected = [
    {
      type: "shell_call",
      status: "completed",
      call_id: "s",
      action: { commands: ["ls"], timeout_ms: 5, max_output_length: null },
      environment: { type: "local" },
    },
    { type: "apply_patch_call", call_id: "p", operation: { type: "create_file", path: "a", diff: "+b" } },
  ];

  it("is a function whose calls return as items of its own", () => {
    expect(parse({ input: "x", tools }).tools?.map(({ name }) => name)).toEqual(["shell", "apply_patch"]);
    const call = (id: string, name: string, argumentsText: string) => ({
      type: "tool-call" as const,
      id,
      name,
      argumentsText,
    });
    const parts = [call("s", "shell", shellArguments), call("p", "apply_patch", patchArguments)];
    const response = { id: "", model: "", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: undefined };
    expect(openAiResponses.writeResponse({ ...response, parts }, context)).toMatchObject({ output: expected });
  });

  it("is a function whose calls return as items of its own in a stream", () => {
    const parts: StreamPart[] = [
      { type: "start", id: "", model: "" },
      { type: "tool-call-start", index: 0, id: "s", name: "shell" },
      { type: "tool-call-delta", index: 0, argumentsText: shellArguments },
      { type: "tool-call-start", index: 1, id: "p", name: "apply_patch" },
      { type: "tool-call-delta", index: 1, argumentsText: patchArguments },
      { type: "finish", reason: "tool-calls", usage: undefined },
    ];
    const writer = openAiResponses.newStreamWriter(context);
    const text = parts.map((part) => writer.write(part)).join("");
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Json);
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map(({ item }) => item)).toMatchObject(expected);
  });

  it("can be chosen, and is left out if the provider runs it in a container", () => {
    expect(parse({ input: "x", tools, tool_choice: { type: "shell" } }).toolChoice).toEqual({
      type: "tool",
      name: "shell",
    });
    expect(
      asObjects(parse({ input: "x", tools: [{ type: "shell", environment: { type: "container_auto" } }] }).tools),
    ).toEqual([]);
  });
});
