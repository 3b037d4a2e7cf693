import { describe, expect, it } from "vitest";
import { findProvider } from "../../providers/registry/providers.ts";
import { checkFinish } from "./finish-failures.ts";
import { streamed } from "./stream/stream-attempt-fixtures.ts";

const OPENAI = 1;
const ANTHROPIC = 14;
const GEMINI = 24;
const DEEPSEEK = 43;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

type Words = { readonly text?: string; readonly message?: string };
const candidate = (finishReason: string, { text, message }: Words = {}) => ({
  candidates: [
    {
      index: 0,
      finishReason,
      ...(text === undefined ? {} : { content: { role: "model", parts: [{ text }] } }),
      ...(message === undefined ? {} : { finishMessage: message }),
    },
  ],
  usageMetadata: { promptTokenCount: 90_000, totalTokenCount: 90_000 },
});
const choice = (finish_reason: string | null, content = "") => ({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }],
});
const message = (stop_reason: string, text = "") => ({
  id: "msg_1",
  content: text === "" ? [] : [{ type: "text", text }],
  stop_reason,
});

/** The response of a provider as one stream, its content in one event. */
const send = (dialect: Parameters<typeof streamed>[0], type: number, ...events: readonly object[]) =>
  streamed(dialect, type, (sink) => {
    for (const event of events) sink.data(Buffer.from(data(event)));
    if (type !== GEMINI && type !== ANTHROPIC) sink.data(Buffer.from("data: [DONE]\n\n"));
    sink.end();
  });
const claude = (stop_reason: string, text: string) => [
  { type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } },
  ...(text === "" ? [] : [{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }]),
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const chat = (finish_reason: string | null, content: string) => [
  { id: "c", choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] },
  { id: "c", choices: [{ index: 0, delta: {}, finish_reason }] },
];

describe("response that its provider ended without a result", () => {
  it.each([
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "NO_IMAGE",
    "IMAGE_OTHER",
    "OTHER",
    "OF_THE_FUTURE",
  ])("is a failure that names Google's reason and has its usage: %s", async (word) => {
    const expected = {
      status: 502,
      message: `the provider ended the response without a result: ${word}: print(x)`,
      usage: { promptTokens: 90_000, completionTokens: 0 },
    };
    const whole = candidate(word, { message: "print(x)" });
    const usage = expect.objectContaining(expected.usage);
    expect(() => checkFinish(findProvider(GEMINI)!.parseResponse(whole))).toThrow(
      expect.objectContaining({ ...expected, usage }),
    );
    for (const dialect of ["openai-chat", "anthropic-messages"] as const)
      await expect(send(dialect, GEMINI, whole)).rejects.toMatchObject(expected);
  });

  it.each([
    ["openai-chat", GEMINI, [candidate("MALFORMED_FUNCTION_CALL", { text: "I will call it." })]],
    ["anthropic-messages", GEMINI, [candidate("MALFORMED_FUNCTION_CALL", { text: "I will call it." })]],
  ] as const)("fails within a stream that has text, for callers of %s", async (dialect, type, events) => {
    const { text, result } = await send(dialect, type, ...events);
    expect(text).toContain("I will call it.");
    expect(text).toContain("without a result: MALFORMED_FUNCTION_CALL");
    expect(text).not.toMatch(/message_stop|\[DONE\]/);
    expect(result).toMatchObject({ error: { status: 502 }, usage: { promptTokens: 90_000 } });
  });

  it("passes to callers of the same format as it is", async () => {
    const { text, result } = await send("gemini", GEMINI, candidate("MALFORMED_FUNCTION_CALL"));
    expect(text).toBe(data(candidate("MALFORMED_FUNCTION_CALL")));
    expect(result?.error).toBeUndefined();
  });

  it.each([
    [ANTHROPIC, message("of_the_future"), claude("of_the_future", "")],
    [DEEPSEEK, choice("insufficient_system_resource"), chat("insufficient_system_resource", "")],
    [OPENAI, choice("of_the_future"), chat("of_the_future", "")],
    [OPENAI, choice(null), chat(null, "")],
  ])("is a failure of every provider: type %i, %j", async (type, whole, events) => {
    expect(() => checkFinish(findProvider(type)!.parseResponse(whole))).toThrow(
      expect.objectContaining({ status: 502 }),
    );
    const dialect = type === ANTHROPIC ? "openai-chat" : "anthropic-messages";
    await expect(send(dialect, type, ...events)).rejects.toMatchObject({ status: 502 });
  });

  it("is no evidence about the account where the model failed", () => {
    const fail = (word: string) => () => checkFinish(findProvider(GEMINI)!.parseResponse(candidate(word)));
    const upstream = (isOfModel: unknown) =>
      expect.objectContaining({ upstream: expect.objectContaining({ isOfModel }) });
    expect(fail("MALFORMED_FUNCTION_CALL")).toThrow(upstream(true));
    expect(fail("OTHER")).not.toThrow(upstream(true));
  });
});

describe("response with content and an unknown finish reason", () => {
  it("is never complete, in any dialect", async () => {
    expect((await send("openai-chat", ANTHROPIC, ...claude("of_the_future", "Hi"))).text).toContain(
      '"finish_reason":"length"',
    );
    expect((await send("gemini", ANTHROPIC, ...claude("of_the_future", "Hi"))).text).toContain(
      '"finishReason":"OTHER"',
    );
    expect((await send("anthropic-messages", OPENAI, ...chat("of_the_future", "Hi"))).text).toContain(
      '"stop_reason":"max_tokens"',
    );
  });

  it("is not complete where Claude pauses", async () => {
    const paused = (dialect: Parameters<typeof send>[0]) => send(dialect, ANTHROPIC, ...claude("pause_turn", "Hi"));
    expect((await paused("openai-chat")).text).toContain('"finish_reason":"length"');
    expect((await paused("gemini")).text).toContain('"finishReason":"OTHER"');
    expect((await paused("anthropic-messages")).text).toContain('"stop_reason":"pause_turn"');
  });
});

describe("response without content that ended properly", () => {
  it.each([
    [GEMINI, candidate("SAFETY")],
    [GEMINI, candidate("STOP")],
    [ANTHROPIC, message("end_turn")],
    [ANTHROPIC, message("refusal")],
    [OPENAI, choice("content_filter")],
    [OPENAI, choice("length")],
  ])("is no failure: type %i, %j", (type, body) => {
    expect(() => checkFinish(findProvider(type)!.parseResponse(body))).not.toThrow();
  });
});
