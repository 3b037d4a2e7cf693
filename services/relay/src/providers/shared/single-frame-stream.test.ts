import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { expect, it } from "vitest";
import { getSteps } from "./single-frame-stream.ts";

it("converts everything in a non-streaming response to stream events", () => {
  const citations = [{ url: "https://example.com/", title: "Weather", startIndex: 0, endIndex: 5 }];
  const usage = { ...NO_USAGE, promptTokens: 3, completionTokens: 9 };
  const steps = getSteps({
    id: "msg_1",
    model: "m",
    createdAtSeconds: 0,
    parts: [
      { type: "reasoning", text: "let me see", signature: "sealed" },
      { type: "redacted-reasoning", data: "hidden" },
      { type: "text", text: "Sunny" },
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "aGk=" } },
      { type: "image", source: { kind: "url", url: "https://example.com/a.png" } },
      { type: "file", name: "a.pdf", mediaType: "application/pdf", data: "aGk=" },
      { type: "tool-call", id: "call_1", name: "weather", argumentsText: "{}", signature: "of the call" },
      { type: "tool-call", id: "call_2", name: "time", argumentsText: '{"at":"Bern"}' },
    ],
    citations,
    finishReason: "stop-sequence",
    stopSequence: "END",
    usage,
  });
  expect(steps).toEqual([
    { type: "start", id: "msg_1", model: "m" },
    { type: "reasoning-delta", text: "let me see" },
    { type: "reasoning-signature", signature: "sealed" },
    { type: "redacted-reasoning", data: "hidden" },
    { type: "text-delta", text: "Sunny" },
    { type: "media", mediaType: "image/png", data: "aGk=" },
    { type: "text-delta", text: "![image](https://example.com/a.png)" },
    { type: "media", mediaType: "application/pdf", data: "aGk=" },
    { type: "tool-call-start", index: 0, id: "call_1", name: "weather", signature: "of the call" },
    { type: "tool-call-delta", index: 0, argumentsText: "{}" },
    { type: "tool-call-start", index: 1, id: "call_2", name: "time" },
    { type: "tool-call-delta", index: 1, argumentsText: '{"at":"Bern"}' },
    { type: "finish", reason: "stop-sequence", stopSequence: "END", citations, usage },
  ]);
});
