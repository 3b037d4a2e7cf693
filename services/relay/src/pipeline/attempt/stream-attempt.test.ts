import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { DIALECTS } from "../../dialects/chat-dialects.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { watchCall } from "../../core/telemetry/call-metrics.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { ResponseSink } from "../../upstream/upstream-client.ts";
import { attemptStream, type StreamResult } from "./stream-attempt.ts";

type Attempt = Parameters<typeof attemptStream>[1];
type DialectName = keyof typeof dialects;

const dialects = { ...DIALECTS, "openai-responses": openAiResponses };

const OPENAI = 1;
const ANTHROPIC = 14;
const PERPLEXITY = 27;
const GEMINI = 24;
const RESPONSE = new URL("../../providers/openai/__fixtures__/responses.json", import.meta.url);
const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null): string =>
  frame({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] });
const candidate = (text: string, more: object = {}): object => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
});
const GEMINI_ANSWER =
  frame(candidate("Hello")) +
  frame({
    ...candidate(" there", { finishReason: "STOP" }),
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  });

/** Runs a stream of the given bytes; returns what the caller received and the settlement. */
async function streamed(
  dialect: DialectName,
  channelType: number,
  send: (sink: ResponseSink) => void,
  { includeUsage = false, type = "text/event-stream", status = 200, idleMs = 60_000 } = {},
): Promise<{ text: string; result: StreamResult | undefined }> {
  let text = "";
  let result: StreamResult | undefined;
  const response = {
    headersSent: false,
    writeHead: () => undefined,
    write: (bytes: Buffer) => {
      text += bytes.toString();
      return true;
    },
    end: () => undefined,
  };
  const chat = findProvider(channelType);
  const provider = dialect === "openai-responses" ? chat?.endpoints?.[dialect] : chat;
  const call = {
    dialect: dialects[dialect],
    requestId: "req1",
    model: "m",
    body: {},
    includeUsage,
    startedAtMs: 0,
    watch: watchCall(),
  };
  const attempt = {
    call,
    exchange: { requestId: "req1", response, isDisconnected: () => false, onDisconnect: () => undefined },
    prepared: { provider, passThrough: provider?.wireFormat === dialect, request: { idleMs } },
    meter: { secure: () => undefined, produced: () => true },
    settle: (settled: StreamResult) => {
      result = settled;
    },
    toClientError: (error: Error) => error,
    statusCodeMapping: {},
    drainOnDisconnect: false,
  } as unknown as Attempt;
  const client = {
    send: (_: unknown, sink: ResponseSink) => {
      queueMicrotask(() => {
        sink.head(status, { "content-type": type });
        send(sink);
      });
      return { abort: () => undefined, pause: () => undefined, resume: () => undefined };
    },
  };
  const tokenizer = { count: async (texts: readonly string[]) => texts.map(({ length }) => length) };
  const deps = { client, tokenizer, now: () => 0 } as unknown as Parameters<typeof attemptStream>[0];
  await attemptStream(deps, attempt);
  return { text, result };
}

describe("stream whose provider omits [DONE]", () => {
  const answer = chunk({ role: "assistant", content: "Hello" }, null) + chunk({}, "stop");
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(answer));
    sink.end();
  };

  it("ends with [DONE] for OpenAI callers", async () => {
    const { text, result } = await streamed("openai-chat", PERPLEXITY, send);
    expect(text).toBe(`${answer}data: [DONE]\n\n`);
    expect(result?.error).toBeUndefined();
  });

  it("reports usage before [DONE] if requested", async () => {
    const { text } = await streamed("openai-chat", PERPLEXITY, send, { includeUsage: true });
    expect(text).toMatch(/"choices":\[\],"usage":\{.*\}\}\n\ndata: \[DONE\]\n\n$/);
  });
});

describe("stream that ends before it begins", () => {
  it("fails, and nothing is sent to the caller", async () => {
    const failed = streamed("openai-chat", OPENAI, (sink) => sink.data(Buffer.from("data: [DONE]\n\n")));
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });
});

describe("Google stream that stays open or breaks after its finish", () => {
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(GEMINI_ANSWER));
    sink.fail(new Error("reset"));
  };

  it.each([
    ["gemini", /"finishReason":"STOP".*\n\n$/],
    ["openai-chat", /"finish_reason":"stop".*\n\n(data: .*\n\n)?data: \[DONE\]\n\n$/],
    ["anthropic-messages", /event: message_stop\n.*\n\n$/],
  ] as const)("is complete for callers of %s", async (dialect, end) => {
    const { text, result } = await streamed(dialect, GEMINI, send);
    expect(text).toMatch(end);
    expect(text).not.toContain('"error"');
    expect(result).toMatchObject({ error: undefined, usage: { promptTokens: 3, completionTokens: 2 } });
  });

  it("ends without waiting for the idle limit", async () => {
    vi.useFakeTimers();
    try {
      const open = streamed("gemini", GEMINI, (sink) => sink.data(Buffer.from(GEMINI_ANSWER)));
      await vi.advanceTimersByTimeAsync(5_000);
      const { text, result } = await open;
      expect(text).toMatch(/"finishReason":"STOP".*\n\n$/);
      expect(result).toMatchObject({ error: undefined, usage: { promptTokens: 3 } });
    } finally {
      vi.useRealTimers();
    }
  });

  it("fails if it broke before the finish", async () => {
    const { text, result } = await streamed("gemini", GEMINI, (sink) => {
      sink.data(Buffer.from(frame(candidate("Hello"))));
      sink.fail(new Error("reset"));
    });
    expect(text).toContain('"error"');
    expect(result?.error?.upstream?.code).toBe("no_answer");
  });
});

describe("upstream data outside of frames", () => {
  const SECRET = "sk-upstream at http://10.0.0.1";
  const said = (rest: string) => (sink: ResponseSink) => {
    sink.data(Buffer.from(chunk({ content: "Hel" }, null)));
    sink.data(Buffer.from(rest));
    sink.data(Buffer.from(chunk({ content: "lo" }, "stop")));
    sink.end();
  };

  it.each([
    [`{"error":{"code":500,"message":"boom ${SECRET}"}}\n\n`, "boom"],
    [`{\n "error": {\n  "message": "boom ${SECRET}" }\n}\n\n`, "boom"],
  ])(
    "ends the stream with an error if it is a bare document, which is never passed through: %j",
    async (rest, word) => {
      const { text, result } = await streamed("openai-chat", PERPLEXITY, said(rest));
      expect(text).toContain(word);
      expect(text).not.toContain("10.0.0.1");
      expect(text).not.toContain("sk-upstream");
      expect(text).not.toContain('lo"');
      expect(result?.error).toBeDefined();
    },
  );

  it("ends the attempt if it is only comments for a multiple of the idle limit", async () => {
    const silent = (sink: ResponseSink): void => {
      sink.data(Buffer.from(": thinking\n\n"));
      setTimeout(() => sink.data(Buffer.from(": thinking\n\n")), 30);
    };
    await expect(streamed("openai-chat", PERPLEXITY, silent, { idleMs: 1 })).rejects.toMatchObject({
      code: "upstream_timeout",
    });
  });

  it("ends the attempt if it is an endless error body", async () => {
    const endless = (sink: ResponseSink): void => {
      for (let megabytes = 0; megabytes < 3; megabytes++) sink.data(Buffer.alloc(1_000_000, " "));
    };
    const type = "application/json";
    await expect(streamed("openai-chat", PERPLEXITY, endless, { type, status: 503 })).rejects.toMatchObject({
      status: 503,
    });
  });

  it("does not count as first byte if it is a ping", async () => {
    const pinging = (sink: ResponseSink): void => {
      sink.data(Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'));
      sink.fail(new Error("reset"));
    };
    await expect(streamed("anthropic-messages", 14, pinging)).rejects.toMatchObject({
      upstream: { code: "no_answer" },
    });
  });

  it("is passed on if it is a comment and dropped if it is unknown", async () => {
    const { text } = await streamed("openai-chat", PERPLEXITY, said(`: thinking\n\nboom ${SECRET}\n\n`));
    expect(text).toContain(": thinking\n\n");
    expect(text).not.toContain("boom");
    expect(text).toContain("[DONE]");
  });
});

describe("non-streaming response to a streaming request", () => {
  const send = (answer: object) => (sink: ResponseSink) => {
    sink.data(Buffer.from(JSON.stringify(answer)));
    sink.end();
  };
  const message = { role: "assistant", content: "Hello" };
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const type = "application/json";

  it.each([
    ["openai-chat", /"content":"Hello"[^]*"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/],
    ["anthropic-messages", /event: message_start\n[^]*"text":"Hello"[^]*event: message_stop\n.*\n\n$/],
  ] as const)("is streamed to callers of %s and charged", async (dialect, text) => {
    const answer = { id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    const streamedText = await streamed(dialect, PERPLEXITY, send(answer), { type });
    expect(streamedText.text).toMatch(text);
    expect(streamedText.result).toMatchObject({ error: undefined, usage: { promptTokens: 3, completionTokens: 2 } });
  });

  it("is streamed to callers of the responses endpoint if passed through", async () => {
    const answer = JSON.parse(readFileSync(RESPONSE, "utf8")) as object;
    const { text, result } = await streamed("openai-responses", OPENAI, send(answer), { type });
    expect(text).toMatch(
      /^event: response.created\n[^]*"delta":"Sunny, I will look."[^]*event: response.completed\n.*\n\n$/,
    );
    expect(result).toMatchObject({ error: undefined, usage: { promptTokens: expect.any(Number) } });
  });

  it.each([{}, { choices: [] }, { error: { message: "busy" } }])(
    "fails if it contains no response: %j",
    async (none) => {
      await expect(streamed("openai-chat", PERPLEXITY, send(none), { type })).rejects.toMatchObject({ status: 502 });
    },
  );
});

describe("response that fails half-way", () => {
  it("is charged by the usage that upstream reports", async () => {
    const event = (type: string, data: object) => frame({ type, ...data });
    const response = { id: "resp_1", model: "m", output: [] };
    const { text, result } = await streamed("openai-responses", OPENAI, (sink) => {
      sink.data(Buffer.from(event("response.created", { response })));
      sink.data(Buffer.from(event("response.output_text.delta", { delta: "Hel" })));
      const error = { code: "server_error", message: "overheated" };
      const usage = { input_tokens: 30, output_tokens: 200, total_tokens: 230 };
      sink.data(Buffer.from(event("response.failed", { response: { ...response, status: "failed", error, usage } })));
    });
    expect(text).toContain("overheated");
    expect(result).toMatchObject({
      error: { status: 502 },
      usage: { promptTokens: 30, completionTokens: 200 },
    });
  });
});

describe("usage of a stream that breaks", () => {
  const broken = (dialect: DialectName, type: number, ...events: object[]) =>
    streamed(dialect, type, (sink) => {
      for (const event of events) sink.data(Buffer.from(frame(event)));
      sink.fail(new Error("reset"));
    });
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 2, thoughtsTokenCount: 60 };

  it("is charged as Gemini last reported it, including hidden reasoning", async () => {
    const { result } = await broken("gemini", GEMINI, { ...candidate("Hello"), usageMetadata });
    expect(result).toMatchObject({ usage: { promptTokens: 100, completionTokens: 62 } });
  });

  it("is charged as OpenAI-compatible providers report it with every chunk", async () => {
    const choices = [{ index: 0, delta: { content: "Hi" }, finish_reason: null }];
    const usage = { prompt_tokens: 100, completion_tokens: 1 };
    const { result } = await broken("openai-chat", PERPLEXITY, { choices, usage });
    expect(result).toMatchObject({ usage: { promptTokens: 100, completionTokens: 2 } });
  });

  const done = (item: object) => ({ type: "response.output_item.done", item });
  const created = { type: "response.created", response: { id: "resp_1", model: "m", output: [] } };

  it("includes the tools that OpenAI ran, even if no text followed", async () => {
    const picture = { type: "image_generation_call", quality: "high", size: "1024x1024", result: "AAAA" };
    const { result } = await broken("openai-responses", OPENAI, created, done(picture));
    expect(result?.usage.toolCalls).toEqual({ "image_generation/high/1024x1024": 1 });
    const text = { type: "response.output_text.delta", delta: "Hello" };
    const search = done({ type: "web_search_call", action: { type: "search" } });
    const searched = await broken("openai-responses", OPENAI, created, search, search, text);
    expect(searched.result?.usage).toMatchObject({ completionTokens: 5, toolCalls: { web_search: 2 } });
  });

  it("includes Claude's searches whose results arrived", async () => {
    const message = { id: "msg_1", model: "m", usage: { input_tokens: 100, output_tokens: 1 } };
    const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
    const { result } = await broken(
      "anthropic-messages",
      ANTHROPIC,
      { type: "message_start", message },
      block(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      block(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
      block(2, { type: "text", text: "Found." }),
    );
    expect(result?.usage).toMatchObject({ promptTokens: 100, completionTokens: 6, toolCalls: { web_search: 1 } });
  });
});
