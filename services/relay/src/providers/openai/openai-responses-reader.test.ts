import { describe, expect, it } from "vitest";
import { parseResponsesAnswer } from "./openai-responses-reader.ts";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
};
const output = [
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] },
  { type: "message", content: [{ type: "output_text", text: "Hi" }] },
  { type: "message", content: [{ type: "refusal", refusal: "No." }] },
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: '{"x":1}' },
  { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "g", input: "some text" },
];

describe("a whole response", () => {
  const answer = parseResponsesAnswer({ status: "completed", output, usage });

  it("tells what was written to the cache, which has a price of its own", () => {
    expect(answer.usage).toMatchObject({
      promptTokens: 100,
      cacheReadTokens: 40,
      cacheWriteTokens: 20,
      completionTokens: 7,
      reasoningTokens: 3,
    });
  });

  it("keeps thoughts and calls apart from what is said, so that it can be written anew", () => {
    expect(answer.parts).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Hi" },
      { type: "text", text: "No." },
      { type: "tool-call", id: "call_1", name: "f", argumentsText: '{"x":1}' },
      { type: "tool-call", id: "call_2", name: "g", argumentsText: "some text" },
    ]);
  });
});
