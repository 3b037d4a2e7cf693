import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { ResponseSink } from "../../../upstream/upstream-call.ts";
import { streamed } from "./stream-attempt-fixtures.ts";

const OPENAI = 1;
const PERPLEXITY = 27;
const GEMINI = 24;
const RESPONSE = new URL("../../../providers/openai/__fixtures__/responses.json", import.meta.url);
const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null): string =>
  frame({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] });
const candidate = (text: string, more: object = {}): object => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
});
const GEMINI_RESPONSE =
  frame(candidate("Hello")) +
  frame({
    ...candidate(" there", { finishReason: "STOP" }),
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  });

describe("stream whose provider omits [DONE]", () => {
  const response = chunk({ role: "assistant", content: "Hello" }, null) + chunk({}, "stop");
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(response));
    sink.end();
  };

  it("ends with [DONE] for OpenAI callers", async () => {
    const { text, result } = await streamed("openai-chat", PERPLEXITY, send);
    expect(text).toBe(`${response}data: [DONE]\n\n`);
    expect(result?.error).toBeUndefined();
  });

  it("reports usage before [DONE] if requested", async () => {
    const { text } = await streamed("openai-chat", PERPLEXITY, send, { includeUsage: true });
    expect(text).toMatch(/"choices":\[\],"usage":\{.*\}\}\n\ndata: \[DONE\]\n\n$/);
  });
});

it("sends the end of a stream once its response is stored", async () => {
  const events = chunk({ role: "assistant", content: "Hello" }, null) + chunk({}, "stop");
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(events));
    sink.end();
  };
  let sent = "";
  const { text } = await streamed("anthropic-messages", PERPLEXITY, send, { store: (before) => (sent = before) });
  expect(sent).toContain("Hello");
  expect(sent).not.toContain("message_stop");
  expect(text).toContain("message_stop");
});

describe("Google stream that stays open or breaks after its finish", () => {
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(GEMINI_RESPONSE));
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
      const open = streamed("gemini", GEMINI, (sink) => sink.data(Buffer.from(GEMINI_RESPONSE)));
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
  const textThen = (rest: string) => (sink: ResponseSink) => {
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
      const { text, result } = await streamed("openai-chat", PERPLEXITY, textThen(rest));
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
    const { text } = await streamed("openai-chat", PERPLEXITY, textThen(`: thinking\n\nboom ${SECRET}\n\n`));
    expect(text).toContain(": thinking\n\n");
    expect(text).not.toContain("boom");
    expect(text).toContain("[DONE]");
  });
});

describe("non-streaming response to a streaming request", () => {
  const send = (response: object) => (sink: ResponseSink) => {
    sink.data(Buffer.from(JSON.stringify(response)));
    sink.end();
  };
  const message = { role: "assistant", content: "Hello" };
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const type = "application/json";

  it.each([
    ["openai-chat", /"content":"Hello"[^]*"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/],
    ["anthropic-messages", /event: message_start\n[^]*"text":"Hello"[^]*event: message_stop\n.*\n\n$/],
  ] as const)("is streamed to callers of %s and charged", async (dialect, text) => {
    const response = { id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    const streamedText = await streamed(dialect, PERPLEXITY, send(response), { type });
    expect(streamedText.text).toMatch(text);
    expect(streamedText.result).toMatchObject({ error: undefined, usage: { promptTokens: 3, completionTokens: 2 } });
  });

  it("is streamed to callers of the responses endpoint if passed through", async () => {
    const response = JSON.parse(readFileSync(RESPONSE, "utf8")) as object;
    const { text, result } = await streamed("openai-responses", OPENAI, send(response), { type });
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

describe("charge in the usage of a stream", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const parts = [chunk({ content: "Hello" }, null), chunk({}, "stop"), frame({ id: "c", choices: [], usage })];
  const send = (sink: ResponseSink): void => {
    for (const part of [...parts, "data: [DONE]\n\n"]) sink.data(Buffer.from(part));
    sink.end();
  };

  it("is added to the usage chunk of a caller of the same format", async () => {
    const { text } = await streamed("openai-chat", OPENAI, send, { includeUsage: true, includesCharge: true });
    const charged = frame({ id: "c", choices: [], usage: { ...usage, cost: 0.000012 } });
    expect(text).toBe(`${parts[0]}${parts[1]}${charged}data: [DONE]\n\n`);
  });

  it("is added to the usage that is written for a caller of another format", async () => {
    const { text } = await streamed("anthropic-messages", OPENAI, send, { includesCharge: true });
    expect(text).toMatch(/"type":"message_delta".*"usage":\{[^}]*"cost":0\.000012\}/);
  });

  it("is left out if the caller did not request it", async () => {
    const { text } = await streamed("openai-chat", OPENAI, send, { includeUsage: true });
    expect(text).toBe(`${parts.join("")}data: [DONE]\n\n`);
  });
});

it("reads events that are labelled as a document", async () => {
  const events = `${chunk({ role: "assistant", content: "Hello" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`;
  const send = (sink: ResponseSink): void => {
    sink.data(Buffer.from(events));
    sink.end();
  };
  const { text, result } = await streamed("anthropic-messages", OPENAI, send, { type: "application/json" });
  expect(text).toContain("Hello");
  expect(text).toContain("message_stop");
  expect(result?.error).toBeUndefined();
});
