import { describe, expect, it } from "vitest";
import type { ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { openAiResponses } from "./openai-responses.ts";
import { ownFieldOf } from "./responses-request.ts";

const path = { model: "m", stream: false };
const parse = (body: Json) => openAiResponses.parseRequest({ model: "m", ...body }, path);
const usage = { promptTokens: 10, completionTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 3, reasoningTokens: 2 };
const CHOICE = "tool_choice.allowed_tools.tools[0].function.name";
const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1 };

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
    expect(ownFieldOf({ tools })).toBeUndefined();
    expect(openAiResponses.endpoint?.isPartialOverChat?.({ tools })).toBe(true);
    expect(openAiResponses.endpoint?.isPartialOverChat?.({ tools: tools.slice(0, 1) })).toBe(false);
    expect(parse({ input: "x", tools: [{ type: "web_search_preview" }] }).webSearch).toEqual({ contextSize: "medium" });
  });

  it("may send an image at original detail, which chat calls high", () => {
    const picture = { type: "input_image", image_url: "https://x.test/a.png", detail: "original" };
    const { messages } = parse({ input: [{ role: "user", content: [picture] }] });
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
    ["a tool of OpenAI's own", { input: "x", tools: [{ type: "file_search" }] }, "tools[0].type"],
    [
      "a search of some sites",
      { input: "x", tools: [{ type: "web_search", filters: { allowed_domains: ["x"] } }] },
      "tools[0].type",
    ],
  ])("is refused with the field's name for %s", (_, body, param) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });

  it("requires the provider's own API only for what it stores or runs itself", () => {
    expect(ownFieldOf({ input: "x", previous_response_id: null, background: false, tools: [] })).toBeUndefined();
    expect(ownFieldOf({ input: "x", tools: [{ type: "function" }, { type: "mcp" }] })).toBe("tools[1].type");
  });
});

describe("responses object from chat", () => {
  const answer = (given: Partial<ChatResponse>): ChatResponse => ({
    id: "",
    model: "",
    createdAtSeconds: 0,
    parts: [],
    finishReason: "stop",
    usage,
    ...given,
  });

  it("contains reasoning, message, calls and usage", () => {
    const parts = [
      { type: "reasoning" as const, text: "hm" },
      { type: "text" as const, text: "Hi" },
      { type: "tool-call" as const, id: "c", name: "f", argumentsText: "" },
    ];
    expect(openAiResponses.writeResponse(answer({ parts, finishReason: "tool-calls" }), context)).toMatchObject({
      status: "completed",
      output: [
        { type: "reasoning", summary: [{ text: "hm" }] },
        { type: "message", content: [{ type: "output_text", text: "Hi" }] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it("repeats the short fields of the request", () => {
    const asked = {
      metadata: { trace: "7" },
      temperature: 0.2,
      tool_choice: null,
      text: { verbosity: "low" },
      reasoning: { effort: "high" },
      instructions: "Be brief.",
      store: true,
    };
    expect(openAiResponses.writeResponse(answer({}), { ...context, asked })).toMatchObject({
      metadata: { trace: "7" },
      temperature: 0.2,
      top_p: null,
      tool_choice: "auto",
      text: { format: { type: "text" }, verbosity: "low" },
      reasoning: { effort: "high", summary: null },
      instructions: null,
      store: false,
    });
  });

  it.each([
    ["length", "max_output_tokens"],
    ["content-filter", "content_filter"],
  ] as const)("is incomplete after finish reason %s, with reason %s", (finishReason, reason) => {
    expect(openAiResponses.writeResponse(answer({ finishReason }), context)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason },
    });
  });

  it("marks the item that was cut off, in non-streaming and streaming responses", () => {
    const parts = [
      { type: "text" as const, text: "Hi" },
      { type: "tool-call" as const, id: "c", name: "f", argumentsText: '{"a"' },
    ];
    const statuses = (response: unknown) =>
      ((response as { output?: { status: string }[] }).output ?? []).map(({ status }) => status);
    const whole = openAiResponses.writeResponse(answer({ finishReason: "length", parts }), context);
    const writer = openAiResponses.newStreamWriter(context);
    const events = [
      writer.write({ type: "text-delta", text: "Hi" }),
      writer.write({ type: "tool-call-start", index: 0, id: "c", name: "f" }),
      writer.write({ type: "tool-call-delta", index: 0, argumentsText: '{"a"' }),
      writer.write({ type: "finish", reason: "length", usage }),
    ].flatMap(eventsOf);
    expect(statuses(whole)).toEqual(["completed", "incomplete"]);
    expect(statuses(events.at(-1)?.["response"])).toEqual(["completed", "incomplete"]);
    const done = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    expect(statuses({ output: done })).toEqual(["completed", "incomplete"]);
  });
});

type Event = { type: string; sequence_number: number; [name: string]: unknown };

function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Event);
}

describe("citation of a text", () => {
  const citations = [{ url: "https://x.test", title: "X", startIndex: 0, endIndex: 2 }];
  const annotations = [{ type: "url_citation", url: "https://x.test", title: "X", start_index: 0, end_index: 2 }];

  it("is one of its annotations, in non-streaming and streaming responses", () => {
    const parts = [{ type: "text" as const, text: "Hi" }];
    const response = { id: "", model: "", createdAtSeconds: 0, finishReason: "stop" as const, usage, parts, citations };
    const written = { output: [{ content: [{ annotations }] }] };
    expect(openAiResponses.writeResponse(response, context)).toMatchObject(written);
    const writer = openAiResponses.newStreamWriter(context);
    writer.write({ type: "text-delta", text: "Hi" });
    const events = eventsOf(writer.write({ type: "finish", reason: "stop", usage, citations }));
    expect(events.at(-1)?.["response"]).toMatchObject(written);
    const added = events.filter(({ type }) => type === "response.output_text.annotation.added");
    expect(added).toMatchObject([{ annotation_index: 0, content_index: 0, annotation: annotations[0] }]);
    expect(events.find(({ type }) => type === "response.content_part.done")?.["part"]).toMatchObject({ annotations });
  });
});

describe("responses stream from chat", () => {
  it("opens and closes every item once, in order, with numbered events", () => {
    const parts: StreamPart[] = [
      { type: "start", id: "", model: "" },
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "He" },
      { type: "text-delta", text: "llo" },
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-start", index: 1, id: "b", name: "g" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"x":1}' },
      { type: "finish", reason: "tool-calls", usage },
    ];
    const writer = openAiResponses.newStreamWriter(context);
    const events = eventsOf(parts.map((part) => writer.write(part)).join(""));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.at(-1)).toMatchObject({
      response: {
        output: [
          { type: "reasoning" },
          { type: "message", content: [{ text: "Hello" }] },
          { call_id: "a", arguments: '{"x":1}' },
          { call_id: "b", arguments: "{}" },
        ],
        usage: { total_tokens: 15 },
      },
    });
  });

  it("closes a call with complete arguments when the next one begins", () => {
    const parts: StreamPart[] = [
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"x":' },
      { type: "tool-call-delta", index: 0, argumentsText: "1}" },
      { type: "tool-call-start", index: 1, id: "b", name: "g" },
      { type: "tool-call-delta", index: 1, argumentsText: "{}" },
      { type: "finish", reason: "tool-calls", usage },
    ];
    const writer = openAiResponses.newStreamWriter(context);
    const events = eventsOf(parts.map((part) => writer.write(part)).join(""));
    const call = ["added", "delta", "delta", "done", "done"];
    expect(events.map(({ type, output_index: at }) => [type.split(".").at(-1), at])).toEqual([
      ...call.map((name) => [name, 0]),
      ...call.slice(1).map((name, index) => [index === 0 ? "added" : name, 1]),
      ["completed", undefined],
    ]);
  });

  it("ends with an error event and no completion if it breaks", () => {
    const writer = openAiResponses.newStreamWriter(context);
    writer.write({ type: "start", id: "", model: "" });
    const [event] = eventsOf(writer.fail(new RelayError("stream_interrupted", "cut"), "req"));
    expect(event).toMatchObject({ type: "error", code: "stream_interrupted", sequence_number: 2 });
    expect(event?.["error"]).toMatchObject({ type: "turnpike_error", code: "stream_interrupted" });
  });
});
