import { describe, expect, it } from "vitest";
import { readOpenAiUsage } from "./openai-usage.ts";
import { newResponsesReader, parseResponsesResponse } from "./openai-responses-reader.ts";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
};
const output = [
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] },
  { type: "message", content: [{ type: "output_text", text: "Hi" }] },
  { type: "message", content: [{ type: "refusal", refusal: "No." }] },
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: '{"x":1}' },
  { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "g", input: "some text" },
];

describe("non-streaming responses object", () => {
  const response = parseResponsesResponse({ status: "completed", output, usage });

  it("reports the tokens written to the cache, which have a price of their own", () => {
    expect(response.usage).toMatchObject({
      promptTokens: 100,
      cacheReadTokens: 40,
      cacheWriteTokens: 20,
      completionTokens: 7,
      reasoningTokens: 3,
    });
  });

  it("reports the cache writes with a lifetime of twelve hours, also for chat completions", () => {
    const details = {
      cache_write_tokens: 20,
      cache_write_tokens_details: { ttl_30m_tokens: 5, ttl_12h_tokens: 15 },
    };
    const body = { status: "completed", output, usage: { ...usage, input_tokens_details: details } };
    const expected = { cacheWriteTokens: 20, cacheWriteLongTokens: 15 };
    expect(parseResponsesResponse(body).usage).toMatchObject(expected);
    expect(readOpenAiUsage({ prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: details })).toMatchObject(
      expected,
    );
  });

  it("counts containers of the code interpreter, whatever number of calls each runs", () => {
    const run = (container: string) => ({ type: "code_interpreter_call", id: "ci", container_id: container });
    const body = { status: "completed", output: [run("a"), run("a"), run("b")], usage };
    expect(parseResponsesResponse(body).usage?.toolCalls).toEqual({ code_interpreter: 2 });
  });

  it.each([
    ["rate_limit_exceeded", "Please try again in 1.5s.", { status: 429, upstream: { retryAfterSeconds: 2 } }],
    ["invalid_prompt", "No.", { status: 400, upstream: { code: "invalid_prompt" } }],
    ["bio_policy", "No.", { status: 400, upstream: { code: "bio_policy" } }],
    ["server_error", "No.", { status: 502, upstream: { code: "server_error" } }],
  ])("fails like a stream if the response failed, with the usage: %s", (code, message, expected) => {
    const body = { status: "failed", error: { code, message }, output: [], usage };
    const counted = { promptTokens: 100, completionTokens: 7 };
    expect(() => parseResponsesResponse(body)).toThrowError(
      expect.objectContaining({
        status: expected.status,
        upstream: expect.objectContaining(expected.upstream) as object,
        usage: expect.objectContaining(counted) as object,
      }) as Error,
    );
  });

  it("has the images that it generated, whole and streamed", () => {
    const item = { type: "image_generation_call", id: "ig_1", status: "completed", result: "/9j/4AAQSkZJRg==" };
    const image = { mediaType: "image/jpeg", data: "/9j/4AAQSkZJRg==" };
    const { parts } = parseResponsesResponse({ status: "completed", output: [item], usage });
    expect(parts).toEqual([{ type: "image", source: { kind: "base64", ...image }, isOfTool: true }]);
    const { read } = newResponsesReader();
    const event = { type: "response.output_item.done", output_index: 0, item };
    expect(read({ event: undefined, data: JSON.stringify(event) })).toContainEqual({
      type: "media",
      ...image,
      isOfTool: true,
    });
  });

  it("separates the paragraphs of a summary", () => {
    const summary = ["**One**", "**Two**"].map((text) => ({ type: "summary_text", text }));
    const { parts } = parseResponsesResponse({ status: "completed", output: [{ type: "reasoning", summary }] });
    expect(parts).toEqual([{ type: "reasoning", text: "**One**\n\n**Two**" }]);
  });

  it("keeps reasoning and calls apart from the text, so that it can be re-encoded", () => {
    expect(response.parts).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Hi" },
      { type: "text", text: "No.", isRefusal: true },
      { type: "tool-call", id: "call_1", name: "f", argumentsText: '{"x":1}' },
      { type: "tool-call", id: "call_2", name: "g", argumentsText: '{"input":"some text"}' },
    ]);
  });
});

describe("responses stream", () => {
  const place = { item_id: "rs_1", output_index: 0 };
  const CREATED = { type: "response.created", response: { id: "resp_1", model: "o3-pro", status: "in_progress" } };
  const KEEPALIVE = { type: "keepalive", sequence_number: 2 };
  const REASONING = { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", summary: [] } };
  const START = { type: "start", id: "resp_1", model: "o3-pro" };
  const reader = () => {
    const { read, isComplete } = newResponsesReader();
    return { isComplete, read: (event: object) => read({ event: undefined, data: JSON.stringify(event) }) };
  };

  it("starts with its first item: until then failover is possible", () => {
    const { read } = reader();
    expect([CREATED, { ...CREATED, type: "response.in_progress" }, KEEPALIVE].flatMap(read)).toEqual([]);
    expect(read(REASONING)).toEqual([START]);
    expect(read(REASONING)).toEqual([]);
  });

  it("starts at its end if it has no item", () => {
    const { read, isComplete } = reader();
    read(CREATED);
    const end = { type: "response.incomplete", response: { incomplete_details: { reason: "content_filter" } } };
    expect(read({ ...end, response: { ...end.response, status: "incomplete" } })).toMatchObject([
      START,
      { type: "finish", reason: "content-filter" },
    ]);
    expect(isComplete()).toBe(true);
  });

  it("separates the paragraphs of a summary", () => {
    const { read } = reader();
    const part = (index: number) => ({ type: "response.reasoning_summary_part.added", ...place, summary_index: index });
    const delta = (text: string) => ({ type: "response.reasoning_summary_text.delta", ...place, delta: text });
    const steps = [part(0), delta("**One**"), part(1), delta("**Two**")].flatMap(read);
    expect(steps.map((step) => (step as { text: string }).text).join("")).toBe("**One**\n\n**Two**");
  });

  /** The parts without the start and the finish. */
  const readContent = (...events: object[]) => {
    const { read } = reader();
    return [CREATED, ...events].flatMap(read).filter(({ type }) => type !== "start" && type !== "finish");
  };
  const added = (item: object, output_index = 0) => ({ type: "response.output_item.added", output_index, item });
  const done = (item: object, output_index = 0) => ({ type: "response.output_item.done", output_index, item });
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" };
  const full = { ...call, arguments: '{"a":"x"}' };
  const inCall = { item_id: "fc_1", output_index: 0 };
  const argumentsDelta = { type: "response.function_call_arguments.delta", ...inCall, delta: '{"a":' };
  const argumentsDone = { type: "response.function_call_arguments.done", ...inCall, arguments: '{"a":"x"}' };
  const message = (text: string, annotations: object[] = []) => ({
    type: "message",
    content: [{ type: "output_text", text, annotations }],
  });
  const textDelta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" };
  const textDone = { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hello" };
  const completed = (...output: object[]) => ({
    type: "response.completed",
    response: { status: "completed", output },
  });

  it.each([
    ["arguments.done alone", [added(call), argumentsDone, done(full)]],
    ["arguments.done after a part of the deltas", [added(call), argumentsDelta, argumentsDone, done(full)]],
    ["the item that is done alone", [added(call), done(full)]],
    ["an item that was never added", [done(full)]],
    ["the complete response alone", [completed(full)]],
    ["all of them", [added(call), argumentsDelta, argumentsDone, done(full), completed(full)]],
  ])("reads a call's arguments once: %s", (_, events) => {
    const parts = readContent(...events) as { argumentsText?: string }[];
    expect(parts[0]).toEqual({ type: "tool-call-start", index: 0, id: "call_1", name: "f" });
    expect(parts.map(({ argumentsText = "" }) => argumentsText).join("")).toBe('{"a":"x"}');
  });

  const custom = { type: "custom_tool_call", call_id: "call_1", name: "g", input: "" };
  const customDelta = (delta: string) => ({ type: "response.custom_tool_call_input.delta", output_index: 0, delta });
  const customDone = { type: "response.custom_tool_call_input.done", output_index: 0, input: 'say "hi"\n' };
  it.each([
    ["its done event", [added(custom), customDone, done({ ...custom, input: 'say "hi"\n' })]],
    ["its deltas", [added(custom), customDelta('say "'), customDelta('hi"\n'), customDone, done(custom)]],
    ["its item alone", [done({ ...custom, input: 'say "hi"\n' })]],
    ["deltas of an item that is never done", [added(custom), customDelta('say "hi"'), customDelta("\n"), completed()]],
  ])("reads the input of a custom tool as the argument of a function, from %s", (_, list) => {
    const [start, ...deltas] = readContent(...list);
    expect(start).toEqual({ type: "tool-call-start", index: 0, id: "call_1", name: "g" });
    const text = deltas.map((part) => (part.type === "tool-call-delta" ? part.argumentsText : "")).join("");
    expect(text).toBe(JSON.stringify({ input: 'say "hi"\n' }));
  });

  it.each([
    ["output_text.done alone", [added(message("")), textDone, done(message("Hello"))]],
    ["what output_text.done has beyond the deltas", [added(message("")), textDelta, textDone, done(message("Hello"))]],
    ["the item that is done alone", [added(message("")), done(message("Hello")), completed(message("Hello"))]],
    ["the complete response alone", [completed(message("Hello"))]],
    ["a refusal", [{ type: "response.refusal.done", output_index: 0, content_index: 0, refusal: "Hello" }]],
    ["events that name no item", [{ type: "response.output_text.delta", delta: "Hello" }, completed(message("Hello"))]],
  ])("reads text once: %s", (_, events) => {
    const parts = readContent(...events) as { text: string }[];
    expect(parts.map(({ text }) => text).join("")).toBe("Hello");
  });

  it("reads reasoning once, also where an item repeats it as a summary", () => {
    const summary = ["**One**", "**Two**"].map((text) => ({ type: "summary_text", text }));
    expect(readContent(done({ type: "reasoning", summary }))).toEqual([
      { type: "reasoning-delta", text: "**One**" },
      { type: "reasoning-delta", text: "\n\n**Two**" },
    ]);
    const delta = { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "hm" };
    expect(readContent(delta, done({ type: "reasoning", summary }))).toEqual([{ type: "reasoning-delta", text: "hm" }]);
  });

  it("cites the pages of text that comes with its done item", () => {
    const citation = { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 5 };
    const { read } = reader();
    const parts = [CREATED, done(message("Hello", [citation])), completed()].flatMap(read);
    expect(parts.at(-1)).toMatchObject({ citations: [{ url: "https://a.example" }] });
  });

  it("keeps the arguments of interleaved calls apart", () => {
    const second = { ...call, call_id: "call_2", name: "g" };
    const of = (event: object, output_index: number) => ({ ...event, output_index });
    const parts = readContent(
      added(call, 1),
      added(second, 2),
      of(argumentsDelta, 2),
      of(argumentsDelta, 1),
      of(argumentsDone, 1),
      done({ ...second, arguments: '{"a":2}' }, 2),
    ) as { type: string; index: number; argumentsText?: string }[];
    const ofCall = (at: number) =>
      parts.flatMap(({ index, argumentsText }) => (index === at ? (argumentsText ?? "") : [])).join("");
    expect([ofCall(0), ofCall(1)]).toEqual(['{"a":"x"}', '{"a":2}']);
  });

  const failed = (error: object) => ({ type: "response.failed", response: { status: "failed", error } });
  it.each([
    ["an error", { type: "error", code: "server_is_overloaded", message: "Busy.", param: null }, 529],
    ["an error of the older form", { type: "error", error: { code: "server_error", message: "Busy." } }, 502],
    ["a failure", failed({ code: "server_error", message: "Busy." }), 502],
    ["a limit", failed({ code: "rate_limit_exceeded", message: "Busy." }), 429],
    ["a prompt that no channel accepts", failed({ code: "invalid_prompt", message: "Busy." }), 400],
    ["a policy", failed({ code: "bio_policy", message: "Busy." }), 400],
    ["an unreadable image", failed({ code: "invalid_base64_image", message: "Busy." }), 400],
  ])("fails for %s with the matching HTTP status", (_, event, status) => {
    const { read, isComplete } = reader();
    read(CREATED);
    const type = status === 400 ? "invalid_request_error" : undefined;
    const upstream = expect.objectContaining({ type }) as object;
    expect(() => read(event)).toThrowError(expect.objectContaining({ status, message: "Busy.", upstream }) as Error);
    expect(isComplete()).toBe(false);
  });
});
