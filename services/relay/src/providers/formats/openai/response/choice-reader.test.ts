import { describe, expect, it } from "vitest";
import { CONTEXT, events } from "../../../../dialects/anthropic-messages/anthropic-fixtures.ts";
import { anthropicMessages } from "../../../../dialects/anthropic-messages/anthropic-messages.ts";
import { parseOpenAiResponse } from "./openai-response.ts";
import { newOpenAiStreamReader } from "./openai-stream-reader.ts";

const whole = (fields: object) =>
  parseOpenAiResponse({ choices: [{ message: { content: "Hi" }, finish_reason: "stop", ...fields }] });
const streamed = (fields: object) => {
  const reader = newOpenAiStreamReader();
  const chunks = [{ delta: { content: "Hi" } }, { delta: {}, finish_reason: "stop", ...fields }];
  const data = [...chunks.map((choice) => JSON.stringify({ choices: [{ index: 0, ...choice }] })), "[DONE]"];
  return data.flatMap((one) => reader.read({ event: undefined, data: one }));
};

describe("message in a chunk of a stream", () => {
  const read = (...choices: object[]) => {
    const reader = newOpenAiStreamReader();
    const data = [...choices.map((choice) => JSON.stringify({ choices: [{ index: 0, ...choice }] })), "[DONE]"];
    return data.flatMap((one) => reader.read({ event: undefined, data: one })).filter(({ type }) => type !== "start");
  };
  const tool_calls = [
    { id: "call_1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
    { id: "call_2", type: "function", function: { name: "g", arguments: "{}" } },
  ];

  it("is read where it replaces the deltas", () => {
    expect(read({ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" })).toMatchObject([
      { type: "text-delta", text: "Hi" },
      { type: "finish", reason: "stop" },
    ]);
    expect(read({ message: { content: null, tool_calls }, finish_reason: "tool_calls" })).toMatchObject([
      { type: "tool-call-start", index: 0, id: "call_1", name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"a":1}' },
      { type: "tool-call-start", index: 1, id: "call_2", name: "g" },
      { type: "tool-call-delta", index: 1, argumentsText: "{}" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  it("is passed over where it repeats them", () => {
    const parts = read({ delta: { content: "Hi" } }, { message: { content: "Hi" }, finish_reason: "stop" });
    expect(parts).toMatchObject([{ type: "text-delta", text: "Hi" }, { type: "finish" }]);
  });
});

describe("announced calls that are missing", () => {
  it.each(["tool_calls", "function_call", "tool_use"])("are no end that callers would wait at: %s", (finish_reason) => {
    const lost = { finishReason: "other", finishDetail: finish_reason };
    expect(whole({ finish_reason })).toMatchObject(lost);
    expect(streamed({ finish_reason }).at(-1)).toMatchObject({ reason: "other", detail: finish_reason });
    expect(anthropicMessages.writeResponse(whole({ finish_reason }), CONTEXT)).toMatchObject({
      stop_reason: "max_tokens",
    });
  });
});

describe("stop sequence in addition to the finish reason", () => {
  it.each([{ stop_reason: "END" }, { matched_stop: "END" }])("is read: %j", (fields) => {
    expect(whole(fields)).toMatchObject({ finishReason: "stop-sequence", stopSequence: "END" });
    expect(streamed(fields).at(-1)).toMatchObject({ reason: "stop-sequence", stopSequence: "END" });
  });

  it("reaches callers of Messages", () => {
    const stop = { stop_reason: "stop_sequence", stop_sequence: "END" };
    expect(anthropicMessages.writeResponse(whole({ stop_reason: "END" }), CONTEXT)).toMatchObject(stop);
    const writer = anthropicMessages.newStreamWriter(CONTEXT);
    const list = events(
      streamed({ stop_reason: "END" })
        .map((part) => writer.write(part))
        .join(""),
    );
    expect(list.at(-2)).toMatchObject({ type: "message_delta", delta: stop });
  });

  it.each([
    {},
    { stop_reason: null },
    { stop_reason: 128009 },
    { matched_stop: 2 },
    { stop_reason: "stop" },
    { stop_reason: "end_turn" },
    { stop_reason: "" },
  ])("is not a token, a reason or nothing: %j", (fields) => {
    expect(whole(fields)).not.toHaveProperty("stopSequence");
    expect(whole(fields).finishReason).toBe("stop");
    expect(streamed(fields).at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });

  it("is not read of a response that ended otherwise", () => {
    expect(whole({ finish_reason: "length", stop_reason: "END" })).toMatchObject({ finishReason: "length" });
  });
});
