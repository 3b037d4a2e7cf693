import type { Scenario } from "../fake-upstream/scenario.ts";
import { CACHED, CLAUDE, BEDROCK, reported, row, type PriceRow } from "./price-row.ts";

const WRITTEN = { cachedTokens: 500, cacheWriteTokens: 300 };
const WRITTEN_LONG = { cachedTokens: 500, cacheWriteTokens: 300, cacheWriteLongTokens: 200 };

export const TEXT: readonly PriceRow[] = [
  // (1000 + 500×4) × 1.25
  row("plain text", "chat", "gpt-4o", 3750, reported(1000, 500)),
  row("text, streamed", "chat streamed", "gpt-4o", 3750, reported(1000, 500)),
  // (400 + 300 + 2000) × 1.25
  row("cached text", "chat", "gpt-4o", 3375, reported(1000, 500, CACHED)),
  row("cached text, streamed", "chat streamed", "gpt-4o", 3375, reported(1000, 500, CACHED)),
  // (400 + 60 + 800) × 0.625 = 787.5
  row("cached text at a tenth", "chat", "gpt-5", 788, reported(1000, 100, CACHED)),
  // (1000 + 2000) × 1
  row("reasoning counts once", "chat", "o3", 3000, reported(1000, 500, { reasoningTokens: 400 })),
  // 40 × 0.075 = 3
  row("half a unit rounds up", "chat", "gpt-4o-mini", 3, reported(20, 0 + 5)),
  // 5 × 0.075 = 0.375
  row("less than one costs one", "chat", "gpt-4o-mini", 1, reported(1, 1)),
  row("a ratio of 0", "chat", "glm-4-flash", 0, reported(1000, 500)),
  // 3750 × 0.8
  row("a group at 0.8", "chat", "gpt-4o", 3000, reported(1000, 500), { group: "vip" }),
  // 3750 × 0.5, not × 2
  row("a special ratio of the user's group", "chat", "gpt-4o", 1875, reported(1000, 500), { group: "team" }),
  // $0.01
  row("a per-call price", "chat", "flat-model", 5000, reported(1000, 500)),
  row("a per-call price, streamed, in a group", "chat streamed", "flat-model", 4000, reported(9, 9), { group: "vip" }),
  // 3000 × 0.075
  row("an alias at its target's price", "chat", "my-alias", 225, reported(1000, 500)),
  // (1000 + 500×4) × 2
  row("a fallback price", "chat", "mystery-model", 6000, reported(1000, 500)),
  // (1000 + 500×4) × 1
  row("an operator's completion ratio", "chat", "gpt-4.1", 3000, reported(1000, 500)),
  // 400 × 0.14 + 600 × 0.014 + 500 × 0.21 = 169.4
  row("DeepSeek's cache", "chat", "deepseek-chat", 169, reported(1000, 500, CACHED)),
  // 3000 × 0.135
  row("DeepSeek, streamed", "messages streamed", "deepseek-chat", 245, reported(1000, 500)),
  // (1000 + 2500) × 1.5
  row("Cohere", "chat", "command-r-plus", 5250, reported(1000, 500)),
  row("Cohere, streamed", "messages streamed", "command-r-plus", 5250, reported(1000, 500)),
  row("Cohere for Gemini clients", "gemini", "command-r-plus", 5250, reported(1000, 500)),
  row("tool calls", "chat", "gpt-4o", 3750, { ...reported(1000, 500), toolCalls: [{ name: "f", arguments: {} }] }),
  // (1000 + 666.65) × 0.75 = 1249.99
  row("a completion", "completions", "gpt-3.5-turbo-instruct", 1250, reported(1000, 500)),
  row("a completion, streamed", "completions streamed", "gpt-3.5-turbo-instruct", 1250, reported(1000, 500)),
];

export const CLAUDES: readonly PriceRow[] = [
  // (1000 + 500) × 1.5
  row("Claude for Anthropic clients", "messages", CLAUDE, 2250, reported(1000, 100)),
  // (200 + 50 + 375 + 500) × 1.5 = 1687.5
  row("Claude's cache", "messages", CLAUDE, 1688, reported(1000, 100, WRITTEN)),
  row("Claude's cache, streamed", "messages streamed", CLAUDE, 1688, reported(1000, 100, WRITTEN)),
  // (200 + 50 + 125 + 400 + 500) × 1.5 = 1912.5
  row("Claude's cache for an hour", "messages", CLAUDE, 1913, reported(1000, 100, WRITTEN_LONG)),
  row("Claude's cache for an hour, streamed", "messages streamed", CLAUDE, 1913, reported(1000, 100, WRITTEN_LONG)),
  row("Claude's cache for OpenAI clients", "chat", CLAUDE, 1688, reported(1000, 100, WRITTEN)),
  row("Claude's cache for OpenAI clients, streamed", "chat streamed", CLAUDE, 1913, reported(1000, 100, WRITTEN_LONG)),
  // (400 + 60 + 500) × 1.5
  row("Claude for Gemini clients", "gemini", CLAUDE, 1440, reported(1000, 100, CACHED)),
  row("Claude through the Responses API", "responses", CLAUDE, 2250, reported(1000, 100)),
  // 2250 + 2 × $0.01
  row("Claude's searches", "messages", CLAUDE, 12_250, reported(1000, 100, { searches: 2 })),
  // (2250 + 5000) × 0.8
  row(
    "Claude's searches, streamed, in a group",
    "messages streamed",
    CLAUDE,
    5800,
    reported(1000, 100, { searches: 1 }),
    {
      group: "vip",
    },
  ),
  // 1500 × 0.4
  row("Bedrock", "messages", BEDROCK, 600, reported(1000, 100)),
  // 1125 × 0.4
  row("Bedrock's cache, streamed", "messages streamed", BEDROCK, 450, reported(1000, 100, WRITTEN)),
  // 1275 × 0.4
  row("Bedrock for OpenAI clients, streamed", "chat streamed", BEDROCK, 510, reported(1000, 100, WRITTEN_LONG)),
  row("OpenAI for Anthropic clients", "messages", "gpt-4o", 3375, reported(1000, 500, CACHED)),
  row("OpenAI for Anthropic clients, streamed", "messages streamed", "gpt-4o", 3375, reported(1000, 500, CACHED)),
];

export const GOOGLES: readonly PriceRow[] = [
  // 3000 × 0.05
  row("Gemini for Gemini clients", "gemini", "gemini-2.0-flash", 150, reported(1000, 500)),
  // 1000 × 0.15 + 500 × 1.25
  row(
    "Gemini's reasoning is output",
    "gemini streamed",
    "gemini-2.5-flash",
    775,
    reported(1000, 500, { reasoningTokens: 200 }),
  ),
  // 5000 × 0.625
  row("Gemini for OpenAI clients", "chat", "gemini-2.5-pro", 3125, reported(1000, 500)),
  // 400 × 0.625 + 600 × 0.0625 + 500 × 5 = 2787.5
  row("Gemini's cache, streamed", "chat streamed", "gemini-2.5-pro", 2788, reported(1000, 500, CACHED)),
  row("Gemini for Anthropic clients", "messages streamed", "gemini-2.0-flash", 150, reported(1000, 500)),
  // 100 × 0.15 + 100 × 1.25 + 1000 × 0.5
  row("audio for Gemini 2.5", "gemini", "gemini-2.5-flash", 640, reported(1100, 100, { audioInputTokens: 1000 })),
  // (100 + 400) × 0.05 + 1000 × 0.35
  row(
    "audio for Gemini 2.0, streamed",
    "chat streamed",
    "gemini-2.0-flash",
    375,
    reported(1100, 100, { audioInputTokens: 1000 }),
  ),
  // 1400 × 0.05 + $0.035, whatever the number of searches
  row("Google's search", "gemini", "gemini-2.0-flash", 17_570, reported(1000, 100, { searches: 3 })),
  // × 0.8
  row(
    "Google's search, streamed, in a group",
    "chat streamed",
    "gemini-2.0-flash",
    14_056,
    reported(1000, 100, { searches: 1 }),
    {
      group: "vip",
    },
  ),
  // 1000 × 0.25 + 100 × 1.5 + 2 × $0.014
  row("each search of Gemini 3", "messages", "gemini-3-flash-preview", 14_400, reported(1000, 100, { searches: 2 })),
  // 2 × $0.03
  row("Imagen per image", "images", "imagen-3.0-generate-002", 30_000, { text: "two images" }, { body: { n: 2 } }),
  row(
    "images for Gemini count as text",
    "gemini",
    "gemini-2.0-flash",
    150,
    reported(1000, 500, { imageInputTokens: 258 }),
  ),
];

const NO_USAGE: Scenario = { text: "one two three", usage: "missing" };

/** A PNG whose header declares 512 × 512. */
const SQUARE = Buffer.from("89504e470d0a1a0a0000000d494844520000020000000200", "hex").toString("base64");

function withImage(detail: string): Readonly<Record<string, unknown>> {
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${SQUARE}`, detail } };
  return { messages: [{ role: "user", content: [{ type: "text", text: "hello world" }, image] }] };
}

export const ESTIMATES: readonly PriceRow[] = [
  // "hello world" is 2 tokens, a message 3 and the list of them 3; "one two three" is 3 tokens: (8 + 12) × 1.25
  row("no usage reported", "chat", "gpt-4o", 25, { text: "one two three", usage: "missing" }),
  row("no usage reported, streamed", "chat streamed", "gpt-4o", 25, { text: "one two three", usage: "missing" }),
  // (8 + 15) × 1.5 = 34.5
  row("zero usage reported for a text", "messages streamed", CLAUDE, 35, { text: "one two three", usage: "zero" }),
  // A square of 512: (8 + 85 + 170 + 12) × 1.25 = 343.75
  row("an image, no usage reported", "chat", "gpt-4o", 344, NO_USAGE, { body: withImage("high") }),
  // (8 + 85 + 12) × 1.25 = 131.25
  row("an image in low detail, streamed", "chat streamed", "gpt-4o", 131, NO_USAGE, { body: withImage("low") }),
  // 512 × 512 ÷ 750 = 349.5: (8 + 350 + 15) × 1.5 = 559.5
  row("an image for Claude", "chat", CLAUDE, 560, NO_USAGE, { body: withImage("auto") }),
  row("an empty response", "chat streamed", "gpt-4o", 0, { pieces: 0, usage: "missing" }),
  row("an empty response at a per-call price", "chat streamed", "flat-model", 0, { pieces: 0, usage: "missing" }),
  row("an empty response at a per-call price, non-streaming", "responses", "flat-model", 0, {
    text: "",
    usage: "missing",
  }),
];
