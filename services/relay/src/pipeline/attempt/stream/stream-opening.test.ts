import { afterEach, describe, expect, it, vi } from "vitest";
import { type DialectName, streamed } from "./stream-attempt-fixtures.ts";

const OPENAI = 1;
const ANTHROPIC = 14;
const GEMINI = 24;
const DIALECTS = ["openai-chat", "anthropic-messages", "gemini"] as const;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const typed = (value: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;

const response = { id: "resp_1", object: "response", model: "m", status: "in_progress", output: [] };
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  usage: { input_tokens: 3 },
};
const start = typed({ type: "message_start", message });
const overloaded = typed({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
const block = typed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const text = typed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } });
const ping = typed({ type: "ping" });
const chunk = (delta: object): string => data({ id: "c", choices: [{ index: 0, delta, finish_reason: null }] });

/** Sends each event as a chunk of its own, as upstreams do. */
const send = (dialect: DialectName, type: number, events: readonly string[]) =>
  streamed(dialect, type, (sink) => {
    for (const event of events) sink.data(Buffer.from(event));
    sink.end();
  });

afterEach(() => vi.useRealTimers());

describe("stream that opens without content and then fails", () => {
  const busy = { error: { message: "busy", type: "server_error", code: "overloaded" } };

  it.each(DIALECTS)("can be served by another channel: Claude's overload, for callers of %s", async (dialect) => {
    await expect(send(dialect, ANTHROPIC, [start, overloaded])).rejects.toMatchObject({ status: 529 });
    await expect(send(dialect, ANTHROPIC, [start, ping, block, ping, overloaded])).rejects.toMatchObject({
      status: 529,
    });
    await expect(send(dialect, ANTHROPIC, [start, block])).rejects.toMatchObject({ code: "stream_interrupted" });
  });

  it.each(DIALECTS)("can be served by another channel: OpenAI's role chunk, for callers of %s", async (dialect) => {
    const role = chunk({ role: "assistant", content: "", refusal: null });
    await expect(send(dialect, OPENAI, [role, data(busy)])).rejects.toMatchObject({ status: 529 });
    await expect(send(dialect, OPENAI, [role, chunk({ content: null, tool_calls: [] })])).rejects.toMatchObject({
      code: "stream_interrupted",
    });
  });

  it.each(DIALECTS)(
    "can be served by another channel: Google's empty candidate, for callers of %s",
    async (dialect) => {
      const empty = data({ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] } }] });
      const failed = data({ error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } });
      await expect(send(dialect, GEMINI, [empty, failed])).rejects.toMatchObject({ status: 503 });
    },
  );

  it("can be served by another channel: a response that OpenAI created and queued", async () => {
    const failure = { code: "server_error", message: "overheated" };
    const events = [
      { type: "response.created", sequence_number: 0, response },
      { type: "response.in_progress", sequence_number: 1, response },
      { type: "response.output_item.added", sequence_number: 2, item: { type: "reasoning", summary: [] } },
      { type: "error", sequence_number: 3, ...failure },
    ];
    await expect(send("openai-responses", OPENAI, events.map(typed))).rejects.toMatchObject({ status: 502 });
  });
});

describe("rate limit reported inside a stream", () => {
  it.each([
    ["Please try again in 1.5s.", 2],
    ["Please try again in 250ms.", 1],
    ["Please try again in 2m.", 120],
    ["Slow down.", undefined],
  ])("reports how long the account must wait: %s", async (message, retryAfterSeconds) => {
    const error = { code: "rate_limit_exceeded", message };
    const failed = typed({ type: "response.failed", response: { ...response, status: "failed", error } });
    const created = typed({ type: "response.created", response });
    const sent = send("openai-responses", OPENAI, [created, failed]);
    await expect(sent).rejects.toMatchObject({ status: 429, retryAfterSeconds });
  });

  it("reports it for Google's details as well", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" }];
    const error = data({ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota exceeded.", details } });
    await expect(send("openai-chat", GEMINI, [error])).rejects.toMatchObject({ status: 429, retryAfterSeconds: 35 });
  });
});

describe("stream with content", () => {
  it.each(DIALECTS)("fails inside the stream, for callers of %s", async (dialect) => {
    const sent = await send(dialect, ANTHROPIC, [start, block, text, overloaded]);
    expect(sent.text).toContain("Hi");
    expect(sent.text).toContain("Overloaded");
    expect(sent.result?.error?.status).toBe(529);
  });

  it.each([
    ["OpenAI's audio", OPENAI, "openai-chat", chunk({ audio: { id: "a", data: "AAAA" } })],
    ["another choice", OPENAI, "openai-chat", data({ choices: [{ index: 1, delta: { content: "x" } }] })],
    [
      "a server tool of Claude",
      ANTHROPIC,
      "anthropic-messages",
      start + typed({ type: "content_block_start", content_block: { type: "server_tool_use" } }),
    ],
    [
      "a tool that OpenAI runs",
      OPENAI,
      "openai-responses",
      typed({ type: "response.output_item.added", item: { type: "web_search_call" } }),
    ],
    [
      "Google's own part",
      GEMINI,
      "gemini",
      data({ candidates: [{ content: { parts: [{ toolCall: { id: "t" } }] } }] }),
    ],
  ] as const)("is passed on where only its own callers read it: %s", async (_name, type, dialect, events) => {
    const sent = await streamed(dialect, type, (sink) => {
      sink.data(Buffer.from(events));
      sink.fail(new Error("reset"));
    });
    expect(sent.text.startsWith(events)).toBe(true);
  });

  it("keeps the order of what was buffered, pings included", async () => {
    const { text: sent } = await send("anthropic-messages", ANTHROPIC, [
      start,
      block,
      text,
      ping,
      typed({ type: "message_stop" }),
    ]);
    expect(sent).toBe(start + block + text + ping + typed({ type: "message_stop" }));
  });
});

describe("opening of a stream without content", () => {
  const openUntil = async (events: readonly string[], ms: number) => {
    vi.useFakeTimers();
    let fail: (() => void) | undefined;
    const open = streamed("anthropic-messages", ANTHROPIC, (sink) => {
      for (const event of events) sink.data(Buffer.from(event));
      fail = () => sink.fail(new Error("reset"));
    });
    open.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(ms);
    fail?.();
    return open;
  };

  it("is buffered for ten seconds, and then sent", async () => {
    await expect(openUntil([start], 9_990)).rejects.toMatchObject({ code: "upstream_error" });
    const { text: sent } = await openUntil([start], 10_010);
    expect(sent.startsWith(start)).toBe(true);
    expect(sent).toContain("event: error");
  });

  it("is buffered up to a megabyte, and then sent", async () => {
    const large = typed({ type: "message_start", message: { ...message, note: "x".repeat(1_100_000) } });
    const { text: sent } = await openUntil([large], 10);
    expect(sent.startsWith(large)).toBe(true);
  });

  it("is not sent by a timer after its attempt failed", async () => {
    vi.useFakeTimers();
    await expect(send("anthropic-messages", ANTHROPIC, [start, overloaded])).rejects.toMatchObject({ status: 529 });
    expect(vi.getTimerCount()).toBe(0);
  });
});
