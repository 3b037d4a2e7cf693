import { describe, expect, it } from "vitest";
import type { ChatResponse, StreamPart } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { openAiResponses } from "./openai-responses.ts";

const usage = { promptTokens: 10, completionTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 3, reasoningTokens: 2 };
const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1 };
type Event = { type: string; sequence_number: number; [name: string]: unknown };
function getEvents(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Event);
}

describe("responses object from chat", () => {
  const result = (given: Partial<ChatResponse>): ChatResponse => ({
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
    expect(openAiResponses.writeResponse(result({ parts, finishReason: "tool-calls" }), context)).toMatchObject({
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

  it("has every field that the API's schema requires, with its type, non-streaming and streaming", () => {
    const numbers = ["temperature", "top_p", "presence_penalty", "frequency_penalty", "top_logprobs", "created_at"];
    const nullable = ["error", "incomplete_details", "instructions", "max_output_tokens", "max_tool_calls", "usage"];
    const nullableIds = ["previous_response_id", "safety_identifier", "prompt_cache_key"];
    const expectWhole = (response: unknown): void => {
      const body = response as Record<string, unknown>;
      const listTypes = (names: readonly string[]) => names.map((name) => `${name} ${typeof body[name]}`);
      expect(listTypes(numbers)).toEqual(numbers.map((name) => `${name} number`));
      expect([...nullable, ...nullableIds, "completed_at"].filter((name) => !(name in body))).toEqual([]);
      expect(body).toMatchObject({ background: false, store: false, service_tier: "default", truncation: "disabled" });
      const isDone = body["status"] === "completed";
      expect([typeof body["completed_at"], body["completed_at"] === null]).toEqual([
        isDone ? "number" : "object",
        !isDone,
      ]);
    };
    expectWhole(openAiResponses.writeResponse(result({}), context));
    expectWhole(
      openAiResponses.writeResponse(result({ finishReason: "length" }), { ...context, requested: { top_p: null } }),
    );
    const writer = openAiResponses.newStreamWriter(context);
    const events = getEvents(
      writer.write({ type: "start", id: "", model: "m" }) + writer.write({ type: "finish", reason: "stop", usage }),
    );
    expect(events).toHaveLength(3);
    for (const { response } of events) expectWhole(response);
  });

  it("repeats the short fields of the request", () => {
    const requested = {
      metadata: { trace: "7" },
      temperature: 0.2,
      tool_choice: null,
      text: { verbosity: "low" },
      reasoning: { effort: "high" },
      instructions: "Be brief.",
      store: true,
    };
    expect(openAiResponses.writeResponse(result({}), { ...context, requested })).toMatchObject({
      metadata: { trace: "7" },
      temperature: 0.2,
      top_p: 1,
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
    expect(openAiResponses.writeResponse(result({ finishReason }), context)).toMatchObject({
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
    const complete = openAiResponses.writeResponse(result({ finishReason: "length", parts }), context);
    const writer = openAiResponses.newStreamWriter(context);
    const events = [
      writer.write({ type: "text-delta", text: "Hi" }),
      writer.write({ type: "tool-call-start", index: 0, id: "c", name: "f" }),
      writer.write({ type: "tool-call-delta", index: 0, argumentsText: '{"a"' }),
      writer.write({ type: "finish", reason: "length", usage }),
    ].flatMap(getEvents);
    expect(statuses(complete)).toEqual(["completed", "incomplete"]);
    expect(statuses(events.at(-1)?.["response"])).toEqual(["completed", "incomplete"]);
    const done = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    expect(statuses({ output: done })).toEqual(["completed", "incomplete"]);
  });
});

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
    const events = getEvents(writer.write({ type: "finish", reason: "stop", usage, citations }));
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
    const events = getEvents(parts.map((part) => writer.write(part)).join(""));
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
    const events = getEvents(parts.map((part) => writer.write(part)).join(""));
    const call = ["added", "delta", "delta", "done", "done"];
    expect(events.map(({ type, output_index: at }) => [type.split(".").at(-1), at])).toEqual([
      ...call.map((name) => [name, 0]),
      ...call.slice(1).map((name, index) => [index === 0 ? "added" : name, 1]),
      ["completed", undefined],
    ]);
  });

  it("ends with a failed response and no completion if it breaks", () => {
    const writer = openAiResponses.newStreamWriter(context);
    writer.write({ type: "start", id: "", model: "" });
    const [event] = getEvents(writer.fail(new RelayError("stream_interrupted", "cut"), "req"));
    expect(event).toMatchObject({ type: "response.failed", sequence_number: 2 });
    expect(event?.["response"]).toMatchObject({
      status: "failed",
      error: { code: "stream_interrupted", message: "cut (request id: req)" },
    });
  });
});
