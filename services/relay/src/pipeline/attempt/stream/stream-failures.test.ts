import { describe, expect, it } from "vitest";
import { streamed, type DialectName } from "./stream-attempt-fixtures.ts";

const OPENAI = 1;
const ANTHROPIC = 14;
const PERPLEXITY = 27;
const GEMINI = 24;
const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const candidate = (text: string, more: object = {}): object => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
});

describe("stream that ends before it begins", () => {
  it("fails, and nothing is sent to the caller", async () => {
    const failed = streamed("openai-chat", OPENAI, (sink) => sink.data(Buffer.from("data: [DONE]\n\n")));
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });
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
    const image = { type: "image_generation_call", quality: "high", size: "1024x1024", result: "AAAA" };
    const { result } = await broken("openai-responses", OPENAI, created, done(image));
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
