import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { asText } from "../../core/chat/json.ts";
import { anthropic } from "../../providers/anthropic/anthropic.ts";
import { readResponse, readParts, readStreamBytes, targetFor } from "../../providers/shared/fixtures.ts";
import { openAiChat } from "./openai-chat.ts";

const CONTEXT = { requestId: "r", model: "m", createdAtSeconds: 1, includeUsage: false };
const SIGNED = {
  type: "reasoning.text",
  text: "Compare the tenths first.",
  signature: "EsECCokBCBAYAipA9i3H",
  format: "anthropic-claude-v1",
  index: 0,
};
const SEALED = { type: "reasoning.encrypted", data: "EmwKAhgBEgy3va3pzix", format: "anthropic-claude-v1", index: 1 };
const CALL = { id: "toolu_1", type: "function", function: { name: "compare", arguments: "{}" } };

const streamed = (parts: readonly StreamPart[]): Json[] => {
  const writer = openAiChat.newStreamWriter(CONTEXT);
  const events = parts
    .map((part) => writer.write(part))
    .join("")
    .split("\n\n");
  const chunks = events
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice(6)) as Json);
  return chunks.map((chunk) => (chunk["choices"] as [{ delta: Json }])[0].delta);
};

/** What Claude receives when a message is returned with the result of its call. */
function sentBack(message: Json): Json {
  const body = {
    model: "claude-sonnet-4-5",
    reasoning_effort: "low",
    messages: [
      { role: "user", content: "Which is smaller?" },
      { role: "assistant", content: null, tool_calls: [CALL], ...message },
      { role: "tool", tool_call_id: CALL.id, content: "9.11" },
    ],
  };
  return anthropic.buildRequest(
    openAiChat.parseRequest(body),
    targetFor({ channelType: 14, model: "claude-sonnet-4-5" }),
  ).json;
}

const getTurn = ({ messages }: Json): unknown => (messages as { content: unknown }[])[1]?.content;

describe("reasoning signed by Claude", () => {
  it("is sent in a response next to its text", () => {
    const response = openAiChat.writeResponse(anthropic.parseResponse(readResponse("anthropic", "reasoning")), CONTEXT);
    expect((response as { choices: [{ message: Json }] }).choices[0].message).toMatchObject({
      content: "9.11 is smaller.",
      reasoning_content: "Compare the tenths first.",
      reasoning_details: [SIGNED, SEALED],
    });
  });

  it("is sent once and complete in a stream, after its text", () => {
    const parts = readParts(anthropic.newStreamReader(), readStreamBytes("anthropic", "reasoning"));
    const deltas = streamed(parts);
    expect(deltas.map((delta) => asText(delta["reasoning_content"]) ?? "").join("")).toBe(SIGNED.text);
    expect(deltas.flatMap(({ reasoning_details: details }) => details ?? [])).toEqual([SIGNED, SEALED]);
  });

  it("is returned to Claude before the call it led to, so that reasoning continues", () => {
    const sent = sentBack({ reasoning_content: SIGNED.text, reasoning_details: [SIGNED, SEALED] });
    expect(getTurn(sent)).toMatchObject([
      { type: "thinking", thinking: SIGNED.text, signature: SIGNED.signature },
      { type: "redacted_thinking", data: SEALED.data },
      { type: "tool_use", id: "toolu_1" },
    ]);
    expect(sent["thinking"]).toMatchObject({ type: "enabled" });
  });

  it("is merged into one part if a client stored the pieces of a stream", () => {
    const pieces = [
      { type: "reasoning.text", text: "Compare the " },
      { type: "reasoning.text", text: "tenths first." },
      { type: "reasoning.text", text: "", signature: SIGNED.signature },
      SEALED,
    ];
    expect(getTurn(sentBack({ reasoning_details: pieces }))).toMatchObject([
      { type: "thinking", thinking: SIGNED.text, signature: SIGNED.signature },
      { type: "redacted_thinking", data: SEALED.data },
      { type: "tool_use" },
    ]);
  });

  it.each<[string, Json]>([
    ["without them", { reasoning_content: SIGNED.text }],
    ["with empty ones", { reasoning_content: SIGNED.text, reasoning_details: [] }],
    ["with what is none", { reasoning_content: SIGNED.text, reasoning_details: "thoughts" }],
    ["with another model's summary", { reasoning_details: [{ type: "reasoning.summary", summary: "tenths" }] }],
  ])("is not made up for a message %s; the call continues without reasoning", (_, message) => {
    const sent = sentBack(message);
    expect(getTurn(sent)).toMatchObject([{ type: "tool_use", id: "toolu_1" }]);
    expect(sent["thinking"]).not.toMatchObject({ type: "enabled" });
  });

  it("is absent from responses of models that sign nothing", () => {
    const parts: StreamPart[] = [{ type: "reasoning-delta", text: "Hm." }];
    expect(streamed(parts)).toEqual([{ reasoning_content: "Hm." }]);
  });
});
