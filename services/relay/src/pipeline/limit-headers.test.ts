import { expect, it } from "vitest";
import type { Exchange } from "../core/call/exchange.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { anthropicMessages } from "../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "../dialects/openai-chat/openai-chat.ts";
import { formatDuration, setLimitHeaders } from "./limit-headers.ts";

it.each([
  [0, "0ms"],
  [120, "120ms"],
  [1_000, "1s"],
  [59_001, "1m0s"],
  [360_000, "6m0s"],
  [3_600_000, "1h0m0s"],
])("writes a duration as OpenAI does: %i ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [
    openAiChat,
    { "x-ratelimit-limit-tokens": "9", "x-ratelimit-remaining-tokens": "4", "x-ratelimit-reset-tokens": "1s" },
  ],
  [
    anthropicMessages,
    {
      "anthropic-ratelimit-tokens-limit": "9",
      "anthropic-ratelimit-tokens-remaining": "4",
      "anthropic-ratelimit-tokens-reset": "1970-01-01T00:00:02Z",
    },
  ],
])("reports the tightest limit in the headers of the dialect", (dialect, headers) => {
  const sent: Record<string, string> = {};
  const response = { headersSent: false, setHeader: (name: string, value: string) => void (sent[name] = value) };
  const states = [
    { limit: { counts: "tokens", max: 90 }, remaining: 40, resetMs: 1_000 },
    { limit: { counts: "tokens", max: 9 }, remaining: 4, resetMs: 1_000 },
  ];
  setLimitHeaders({ dialect } as unknown as RelayCall, { response } as unknown as Exchange, states as never, 1_000);
  expect(sent).toEqual(headers);
});
