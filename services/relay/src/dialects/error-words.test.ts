import { describe, expect, it } from "vitest";
import { asObject } from "../core/chat/json.ts";
import type { Dialect } from "../core/call/dialect.ts";
import type { RelayError } from "../core/errors/relay-error.ts";
import { findProvider } from "../providers/registry/providers.ts";
import { toUpstreamError } from "../upstream/upstream-errors.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const OPENAI = 1;
const ANTHROPIC = 14;
const GEMINI = 24;

/** A provider's response as an error of the relay. */
function fail(type: number, status: number, body: object, headers: Record<string, string> = {}): RelayError {
  const response = { status, headers, body: Buffer.from(JSON.stringify(body)) };
  return toUpstreamError({ response, provider: findProvider(type)!, statusCodeMapping: {}, nowMs: 0 });
}
const claude = (status: number, type: string, message: string) =>
  fail(ANTHROPIC, status, { type: "error", error: { type, message } });
const google = (code: number, status: string, message: string, details: object[] = []) =>
  fail(GEMINI, code, { error: { code, message, status, details } });
const openai = (status: number, error: object) => fail(OPENAI, status, { error });

const newResponsesStream = () =>
  openAiResponses.newStreamWriter({ requestId: "req1", model: "m", includeUsage: false, createdAtSeconds: 1 });

const write = (dialect: Dialect, error: RelayError) => {
  const written = asObject(dialect.writeError(error, "req1"));
  return asObject(written?.["error"]) ?? {};
};

const TOO_LONG = {
  claude: claude(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
  bedrock: fail(33, 400, { message: "Input is too long for requested model." }),
  google: google(
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ),
  openai: openai(400, {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  }),
  responses: openai(400, {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    type: "invalid_request_error",
    param: "input",
    code: "context_length_exceeded",
  }),
  vllm: fail(8, 400, {
    object: "error",
    message:
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
    type: "BadRequestError",
    code: 400,
  }),
  xai: openai(400, {
    message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  }),
};

describe("prompt that is too long", () => {
  it.each(Object.entries(TOO_LONG))("has OpenAI's code for callers of chat and responses: %s", (_, error) => {
    expect(write(openAiChat, error)).toMatchObject({ code: "context_length_exceeded", message: error.message });
    expect(write(openAiResponses, error)).toMatchObject({ code: "context_length_exceeded" });
  });

  it.each([
    ["claude", "prompt is too long: 208310 tokens > 200000 maximum"],
    ["bedrock", "prompt is too long: Input is too long for requested model."],
    ["google", "prompt is too long: 1200000 tokens > 1048576 maximum"],
    ["openai", "prompt is too long: 130000 tokens > 128000 maximum"],
    ["responses", "prompt is too long: Your input exceeds the context window"],
    ["vllm", "prompt is too long: 5000 tokens > 4096 maximum"],
    ["xai", "prompt is too long: 537812 tokens > 131072 maximum"],
  ] as const)("has Anthropic's words for callers of Messages: %s", (name, words) => {
    const error = write(anthropicMessages, TOO_LONG[name]);
    expect(error).toMatchObject({ type: "invalid_request_error", message: expect.stringContaining(words) });
  });

  it("keeps Anthropic's text about max_tokens, from which clients read the numbers", () => {
    const message =
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length";
    expect(write(anthropicMessages, claude(400, "invalid_request_error", message))).toMatchObject({ message });
  });

  it.each([
    ["google", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
    ["claude", "The input token count (208310) exceeds the maximum number of tokens allowed (200000)"],
    ["openai", "The input token count (130000) exceeds the maximum number of tokens allowed (128000)"],
    ["responses", "The input token count exceeds the maximum number of tokens allowed"],
  ] as const)("has Google's words for callers of its format: %s", (name, words) => {
    const error = write(geminiGenerate, TOO_LONG[name]);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(words) });
  });
});

describe("other failures that clients react to", () => {
  const code = (error: RelayError) => write(openAiChat, error)["code"];
  const type = (error: RelayError) => write(anthropicMessages, error)["type"];
  const word = (error: RelayError) => write(geminiGenerate, error)["status"];

  it.each([
    claude(
      429,
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 40,000 tokens per minute",
    ),
    google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    openai(429, { message: "Rate limit reached", type: "tokens", code: "rate_limit_exceeded" }),
    openai(429, { message: "Too many requests" }),
  ])("are rate limits in each dialect: $message", (error) => {
    expect([code(error), type(error), word(error)]).toEqual([
      "rate_limit_exceeded",
      "rate_limit_error",
      "RESOURCE_EXHAUSTED",
    ]);
  });

  it("contain the time to wait, as clients of each format read it", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }];
    const error = google(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", details);
    const limit = fail(
      ANTHROPIC,
      429,
      { error: { type: "rate_limit_error", message: "Slow." } },
      { "retry-after": "7" },
    );
    expect(write(geminiGenerate, error)["details"]).toEqual(details);
    expect(write(geminiGenerate, limit)["details"]).toEqual([{ ...details[0], retryDelay: "7s" }]);
    expect(newResponsesStream().fail(limit, "req1")).toContain('"message":"Slow. Please try again in 7s."');
  });

  it.each([
    claude(529, "overloaded_error", "Overloaded"),
    google(503, "UNAVAILABLE", "The model is overloaded."),
    openai(503, { message: "Our servers are currently overloaded.", type: "server_error", code: null }),
  ])("are overloads in each dialect: $message", (error) => {
    expect([code(error), type(error), word(error)]).toEqual(["server_error", "overloaded_error", "UNAVAILABLE"]);
    // Codex gives up at server_is_overloaded and at slow_down, over HTTP, in a stream and over a WebSocket.
    expect(write(openAiResponses, error)["code"]).toBe("server_error");
    expect(newResponsesStream().fail(error, "req1")).toContain('"code":"server_error"');
  });

  it.each([
    claude(402, "billing_error", "Your account has no credits."),
    openai(429, {
      message: "You exceeded your current quota.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    fail(43, 402, { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } }),
  ])("are spent accounts in each dialect: $message", (error) => {
    expect([type(error), word(error)]).toEqual(["billing_error", "RESOURCE_EXHAUSTED"]);
    expect(["insufficient_quota", "invalid_request_error"]).toContain(code(error));
  });

  it("are a spent account of Anthropic, although its status is 400", () => {
    const message = "Your credit balance is too low to access the Anthropic API.";
    expect(code(claude(400, "invalid_request_error", message))).toBe("insufficient_quota");
  });

  it("are content policies in each dialect", () => {
    const filtered = claude(400, "invalid_request_error", "Output blocked by content filtering policy");
    expect([code(filtered), word(filtered)]).toEqual(["content_filter", "INVALID_ARGUMENT"]);
    const azure = openai(400, { message: "The response was filtered.", type: null, code: "content_filter" });
    expect(write(anthropicMessages, azure)["message"]).toBe(
      "Blocked by content filtering policy: The response was filtered.",
    );
  });

  it("keep a code of OpenAI's that clients may know", () => {
    const keep = (status: number, known: string) => code(openai(status, { message: "m", code: known }));
    expect(keep(400, "content_policy_violation")).toBe("content_policy_violation");
    expect(keep(400, "string_above_max_length")).toBe("string_above_max_length");
    expect(keep(429, "model_rate_limited")).toBe("model_rate_limited");
    expect(keep(401, "invalid_api_key")).toBe("invalid_api_key");
  });

  it.each([
    google(400, "INVALID_ARGUMENT", "Invalid value at 'safety_settings[0].threshold'."),
    openai(400, { message: "Invalid 'input': maximum input images is 10.", type: "invalid_request_error", code: "x" }),
    openai(400, { message: "max_tokens is too large: 40960. This model supports at most 16384 completion tokens." }),
  ])("are not errors about fields of these names: $message", (error) => {
    expect(write(anthropicMessages, error)["message"]).toBe(error.message);
    expect(["context_length_exceeded", "content_filter"]).not.toContain(code(error));
  });

  it("are not found in texts that may quote the caller", () => {
    const error = openai(500, { message: "cannot parse: prompt is too long, safety", code: "server_error" });
    expect(code(error)).toBe("server_error");
    expect(type(error)).toBe("api_error");
  });
});
