import { describe, expect, it } from "vitest";
import type { Dialect, ResponseContext } from "../core/call/dialect.ts";
import { asObject, asObjects, asText } from "../core/chat/json.ts";
import { findProvider } from "../providers/registry/providers.ts";
import { getSteps } from "../providers/shared/single-frame-stream.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const context: ResponseContext = { requestId: "req1", model: "m", includeUsage: false, createdAtSeconds: 1 };
const WORDS = "I cannot help with that.";

const chat = findProvider(1)!;
const responses = chat.endpoints!["openai-responses"]!;
const claude = findProvider(14)!;
const gemini = findProvider(24)!;

/** A refusal as each provider sends it, whole and as events. */
const REFUSALS = {
  chat: [
    chat,
    { choices: [{ message: { role: "assistant", content: null, refusal: WORDS }, finish_reason: "stop" }] },
    [
      { id: "c", choices: [{ index: 0, delta: { role: "assistant", refusal: "I cannot " }, finish_reason: null }] },
      { id: "c", choices: [{ index: 0, delta: { refusal: "help with that." }, finish_reason: null }] },
      { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ],
  ],
  responses: [
    responses,
    { status: "completed", output: [{ type: "message", content: [{ type: "refusal", refusal: WORDS }] }] },
    [
      { type: "response.created", response: { id: "resp_1" } },
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "I cannot " },
      { type: "response.refusal.done", output_index: 0, content_index: 0, refusal: WORDS },
      { type: "response.completed", response: { status: "completed", output: [] } },
    ],
  ],
} as const;

const readEvents = (text: string) =>
  text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [asObject(JSON.parse(line.slice(6))) ?? {}] : []));

/** The response whole, and as events, in a dialect. */
function write(dialect: Dialect, [provider, whole, events]: (typeof REFUSALS)[keyof typeof REFUSALS]) {
  const response = provider.parseResponse(whole);
  const reader = provider.newStreamReader();
  const parts = events.flatMap((event) => reader.read({ event: undefined, data: JSON.stringify(event) }));
  if (provider === chat) parts.push(...reader.read({ event: undefined, data: "[DONE]" }));
  const writer = dialect.newStreamWriter(context);
  return {
    whole: asObject(dialect.writeResponse(response, context)) ?? {},
    events: readEvents(parts.map((part) => writer.write(part)).join("")),
  };
}

describe.each(Object.entries(REFUSALS))("refusal of OpenAI (%s)", (_, refusal) => {
  it("is a refusal for callers of chat", () => {
    const { whole, events } = write(openAiChat, refusal);
    expect(whole["choices"]).toMatchObject([{ message: { content: null, refusal: WORDS }, finish_reason: "stop" }]);
    const deltas = events.flatMap(({ choices }) => asObjects(choices).map(({ delta }) => asObject(delta) ?? {}));
    expect(deltas.map(({ refusal: words }) => asText(words) ?? "").join("")).toBe(WORDS);
    expect(deltas.map(({ content }) => asText(content) ?? "").join("")).toBe("");
  });

  it("is a refusal for callers of Messages", () => {
    const stop = { stop_reason: "refusal", stop_details: { type: "refusal", category: null, explanation: WORDS } };
    const { whole, events } = write(anthropicMessages, refusal);
    expect(whole).toMatchObject({ content: [{ type: "text", text: WORDS }], ...stop });
    expect(events.find(({ type }) => type === "message_delta")).toMatchObject({ delta: stop });
  });

  it("is a refusal part of a complete response for callers of the Responses API", () => {
    const { whole, events } = write(openAiResponses, refusal);
    const output = [{ type: "message", content: [{ type: "refusal", refusal: WORDS }] }];
    expect(whole).toMatchObject({ status: "completed", output });
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { output } });
    expect(events.find(({ type }) => type === "response.refusal.done")).toMatchObject({ refusal: WORDS });
    expect(events.some(({ type }) => String(type).startsWith("response.output_text"))).toBe(false);
  });

  it("ends with SAFETY for callers of Google's format", () => {
    const { whole, events } = write(geminiGenerate, refusal);
    expect(whole["candidates"]).toMatchObject([{ finishReason: "SAFETY", content: { parts: [{ text: WORDS }] } }]);
    expect(events.at(-1)?.["candidates"]).toMatchObject([{ finishReason: "SAFETY" }]);
  });
});

describe("explanation of a refusal", () => {
  const details = { type: "refusal", category: "cyber", explanation: WORDS };
  const message = { id: "msg_1", content: [], stop_reason: "refusal", stop_details: details };
  const events = [
    { type: "message_start", message: { id: "msg_1", model: "m" } },
    { type: "message_delta", delta: { stop_reason: "refusal", stop_details: details } },
    { type: "message_stop" },
  ];

  it("of Claude reaches callers of OpenAI's formats", () => {
    const response = claude.parseResponse(message);
    expect(openAiChat.writeResponse(response, context)).toMatchObject({
      choices: [{ message: { content: null, refusal: WORDS }, finish_reason: "content_filter" }],
    });
    expect(openAiResponses.writeResponse(response, context)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [{ content: [{ type: "refusal", refusal: WORDS }] }],
    });
    const reader = claude.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    expect(events.flatMap(read)).toMatchObject([
      { type: "start" },
      { type: "text-delta", text: WORDS, isRefusal: true },
      { type: "finish", reason: "content-filter" },
    ]);
  });

  it("of Google's filter reaches callers of OpenAI's formats", () => {
    const response = gemini.parseResponse({ candidates: [{ finishReason: "SAFETY", finishMessage: WORDS }] });
    expect(openAiChat.writeResponse(response, context)).toMatchObject({
      choices: [{ message: { content: null, refusal: WORDS }, finish_reason: "content_filter" }],
    });
    const blocked = { promptFeedback: { blockReason: "JAILBREAK", blockReasonMessage: WORDS } };
    expect(() => gemini.parseResponse(blocked)).toThrow(`JAILBREAK: ${WORDS}`);
  });

  it("survives where a whole response is sent as a stream", () => {
    expect(getSteps(claude.parseResponse(message))).toContainEqual({
      type: "text-delta",
      text: WORDS,
      isRefusal: true,
    });
  });
});
