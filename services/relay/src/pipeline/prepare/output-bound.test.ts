import { expect, it } from "vitest";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiCompletions } from "../../dialects/openai-completions/openai-completions.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { boundOutput } from "./output-bound.ts";

const bound = (dialect: Dialect, body: Json, completionTokens: number, model = "m"): Json =>
  boundOutput({ dialect, body, bodyText: JSON.stringify(body), model } as RelayCall, { completionTokens } as never)
    .body;

it.each<[string, Dialect, Json, Json]>([
  ["chat completions", openAiChat, {}, { max_tokens: 100 }],
  ["chat completions with its own limit", openAiChat, { max_completion_tokens: 7 }, { max_completion_tokens: 7 }],
  ["completions", openAiCompletions, { max_tokens: 500 }, { max_tokens: 100 }],
  ["the Responses API", openAiResponses, {}, { max_output_tokens: 100 }],
  ["the Messages API", anthropicMessages, { max_tokens: 500 }, { max_tokens: 100 }],
  [
    "Gemini",
    geminiGenerate,
    { generationConfig: { topK: 1 } },
    { generationConfig: { topK: 1, maxOutputTokens: 100 } },
  ],
])("limits a response of %s to what the ceiling buys", (_, dialect, body, limited) => {
  expect(bound(dialect, body, 100)).toEqual({ ...body, ...limited });
});

it("uses the field that OpenAI's reasoning models accept", () => {
  expect(bound(openAiChat, {}, 100, "gpt-5-mini")).toEqual({ max_completion_tokens: 100 });
});

it("refuses a call whose dialect needs more than the ceiling buys", () => {
  expect(() => bound(openAiResponses, {}, 15)).toThrow("16 tokens");
  expect(() => bound(anthropicMessages, { thinking: { budget_tokens: 1024 } }, 1024)).toThrow("the thinking budget");
});

it.each<[Dialect, Json]>([
  [geminiGenerate, { generation_config: { max_output_tokens: 900, top_k: 3 } }],
  [geminiGenerate, { generationConfig: { maxOutputTokens: 900 } }],
  [geminiGenerate, { generationConfig: { max_output_tokens: 900 } }],
  [openAiChat, { max_tokens: 900, max_completion_tokens: 900 }],
])("lowers each limit in the caller's own spelling", (dialect, body) => {
  expect(bound(dialect, body, 40)).toEqual(JSON.parse(JSON.stringify(body).replaceAll("900", "40")));
});
