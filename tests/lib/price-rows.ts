import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Scenario } from "./fake-upstream/scenario.ts";

export type Speech =
  | "chat"
  | "messages"
  | "gemini"
  | "responses"
  | "completions"
  | "embeddings"
  | "moderations"
  | "images"
  | "edits"
  | "speech"
  | "transcriptions"
  | "translations"
  | "rerank";

/**
 * A call, the usage that upstream reports, and the expected cost: calculated by hand from the price lists, never by the
 * code.
 */
export type PriceRow = {
  readonly of: string;
  readonly dialect: Speech;
  readonly model: string;
  readonly stream?: boolean;
  readonly group?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly scenario?: Scenario;
  /** Part of the expected upstream request. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** (tokens × ratios) × model ratio × group ratio, rounded once. */
  readonly quota: number;
};

type Parts = Exclude<Scenario["usage"], string | undefined>;

/** Usage reported by upstream: prompt and completion tokens, and these parts of them. */
const told = (inputTokens: number, outputTokens: number, parts: Parts = {}): Scenario => ({
  text: "Fine.",
  usage: { inputTokens, outputTokens, reasoningTokens: 0, ...parts },
});

type Extra = Pick<PriceRow, "group" | "body" | "asked">;

/** `how` is the dialect, followed by "streamed" for streams. */
function row(
  of: string,
  how: string,
  model: string,
  ...rest: [quota: number, scenario?: Scenario, extra?: Extra]
): PriceRow {
  const [dialect, streamed] = how.split(" ") as [Speech, string?];
  const [quota, scenario = {}, extra = {}] = rest;
  return { of, dialect, model, quota, scenario, stream: streamed !== undefined, ...extra };
}

const SILENT: Scenario = {};

const PROVIDERS = resolve(import.meta.dirname, "../../services/relay/src/providers");

/** A recorded response of a provider. */
function recorded(file: string): Scenario {
  const type = file.endsWith(".json") ? "application/json" : "text/event-stream";
  return { raw: { headers: { "content-type": type }, body: readFileSync(`${PROVIDERS}/${file}`, "utf8") } };
}

const SEARCH = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } };
const OPEN = { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page", url: "x" } };
const FILES = { type: "file_search_call", id: "fs_1", status: "completed", queries: ["x"] };
const drawn = (quality: string, size: string) => ({
  type: "image_generation_call",
  id: "ig_1",
  status: "completed",
  quality,
  size,
  result: "aGk=",
});

const AUDIO = { audioInputTokens: 300, audioOutputTokens: 200 };
const CLAUDE = "claude-3-5-sonnet-20241022";
const BEDROCK = "claude-3-5-haiku-20241022";
const CACHED = { cachedTokens: 600 };
const SEARCHED = { searches: 1 };
const WRITTEN = { cachedTokens: 500, cacheWriteTokens: 300 };
const WRITTEN_LONG = { cachedTokens: 500, cacheWriteTokens: 300, cacheWriteLongTokens: 200 };

const TEXT: readonly PriceRow[] = [
  // (1000 + 500×4) × 1.25
  row("plain text", "chat", "gpt-4o", 3750, told(1000, 500)),
  row("plain text, streamed", "chat streamed", "gpt-4o", 3750, told(1000, 500)),
  // (400 + 300 + 2000) × 1.25
  row("cached text", "chat", "gpt-4o", 3375, told(1000, 500, CACHED)),
  row("cached text, streamed", "chat streamed", "gpt-4o", 3375, told(1000, 500, CACHED)),
  // (400 + 60 + 800) × 0.625 = 787.5
  row("cached text at a tenth", "chat", "gpt-5", 788, told(1000, 100, CACHED)),
  // (1000 + 2000) × 1
  row("reasoning counts once", "chat", "o3", 3000, told(1000, 500, { reasoningTokens: 400 })),
  // 40 × 0.075 = 3
  row("half a unit rounds up", "chat", "gpt-4o-mini", 3, told(20, 0 + 5)),
  // 5 × 0.075 = 0.375
  row("less than one costs one", "chat", "gpt-4o-mini", 1, told(1, 1)),
  row("a ratio of 0", "chat", "glm-4-flash", 0, told(1000, 500)),
  // 3750 × 0.8
  row("a group at 0.8", "chat", "gpt-4o", 3000, told(1000, 500), { group: "vip" }),
  // 3750 × 0.5, not × 2
  row("a special ratio of the user's group", "chat", "gpt-4o", 1875, told(1000, 500), { group: "team" }),
  // $0.01
  row("a price by the call", "chat", "flat-model", 5000, told(1000, 500)),
  row("a price by the call, streamed, in a group", "chat streamed", "flat-model", 4000, told(9, 9), { group: "vip" }),
  // 3000 × 0.075
  row("an alias at its target's price", "chat", "my-alias", 225, told(1000, 500)),
  // (1000 + 500×4) × 2
  row("a fallback price", "chat", "mystery-model", 6000, told(1000, 500)),
  // (1000 + 500×4) × 1
  row("an operator's completion ratio", "chat", "gpt-4.1", 3000, told(1000, 500)),
  // (400 + 150 + 2000) × 0.135 = 344.25
  row("DeepSeek's cache", "chat", "deepseek-chat", 344, told(1000, 500, CACHED)),
  // 3000 × 0.135
  row("DeepSeek, streamed", "messages streamed", "deepseek-chat", 405, told(1000, 500)),
  // (1000 + 2500) × 1.5
  row("Cohere", "chat", "command-r-plus", 5250, told(1000, 500)),
  row("Cohere, streamed", "messages streamed", "command-r-plus", 5250, told(1000, 500)),
  row("Cohere for Google's callers", "gemini", "command-r-plus", 5250, told(1000, 500)),
  row("tool calls", "chat", "gpt-4o", 3750, { ...told(1000, 500), toolCalls: [{ name: "f", arguments: {} }] }),
  // (1000 + 666.65) × 0.75 = 1249.99
  row("a completion", "completions", "gpt-3.5-turbo-instruct", 1250, told(1000, 500)),
  row("a completion, streamed", "completions streamed", "gpt-3.5-turbo-instruct", 1250, told(1000, 500)),
];

const CLAUDES: readonly PriceRow[] = [
  // (1000 + 500) × 1.5
  row("Claude for its own callers", "messages", CLAUDE, 2250, told(1000, 100)),
  // (200 + 50 + 375 + 500) × 1.5 = 1687.5
  row("Claude's cache", "messages", CLAUDE, 1688, told(1000, 100, WRITTEN)),
  row("Claude's cache, streamed", "messages streamed", CLAUDE, 1688, told(1000, 100, WRITTEN)),
  // (200 + 50 + 125 + 400 + 500) × 1.5 = 1912.5
  row("Claude's cache for an hour", "messages", CLAUDE, 1913, told(1000, 100, WRITTEN_LONG)),
  row("Claude's cache for an hour, streamed", "messages streamed", CLAUDE, 1913, told(1000, 100, WRITTEN_LONG)),
  row("Claude's cache for OpenAI's callers", "chat", CLAUDE, 1688, told(1000, 100, WRITTEN)),
  row("Claude's cache for OpenAI's callers, streamed", "chat streamed", CLAUDE, 1913, told(1000, 100, WRITTEN_LONG)),
  // (400 + 60 + 500) × 1.5
  row("Claude for Google's callers", "gemini", CLAUDE, 1440, told(1000, 100, CACHED)),
  row("Claude through responses", "responses", CLAUDE, 2250, told(1000, 100)),
  // 2250 + 2 × $0.01
  row("Claude's searches", "messages", CLAUDE, 12_250, told(1000, 100, { searches: 2 })),
  // (2250 + 5000) × 0.8
  row("Claude's searches, streamed, in a group", "messages streamed", CLAUDE, 5800, told(1000, 100, { searches: 1 }), {
    group: "vip",
  }),
  // 1500 × 0.5
  row("Bedrock", "messages", BEDROCK, 750, told(1000, 100)),
  // 1125 × 0.5 = 562.5
  row("Bedrock's cache, streamed", "messages streamed", BEDROCK, 563, told(1000, 100, WRITTEN)),
  // 1275 × 0.5 = 637.5
  row("Bedrock for OpenAI's callers, streamed", "chat streamed", BEDROCK, 638, told(1000, 100, WRITTEN_LONG)),
  row("OpenAI for Anthropic's callers", "messages", "gpt-4o", 3375, told(1000, 500, CACHED)),
  row("OpenAI for Anthropic's callers, streamed", "messages streamed", "gpt-4o", 3375, told(1000, 500, CACHED)),
];

const GOOGLES: readonly PriceRow[] = [
  // 3000 × 0.05
  row("Gemini for its own callers", "gemini", "gemini-2.0-flash", 150, told(1000, 500)),
  // (1000 + 500×8.3333) × 0.15 = 774.9975
  row(
    "Gemini's thoughts are output",
    "gemini streamed",
    "gemini-2.5-flash",
    775,
    told(1000, 500, { reasoningTokens: 200 }),
  ),
  // 5000 × 0.625
  row("Gemini for OpenAI's callers", "chat", "gemini-2.5-pro", 3125, told(1000, 500)),
  // no cache ratio
  row("Gemini's cache, streamed", "chat streamed", "gemini-2.5-pro", 3125, told(1000, 500, CACHED)),
  row("Gemini for Anthropic's callers", "messages streamed", "gemini-2.0-flash", 150, told(1000, 500)),
  // (100 + 833.33) × 0.15 + 1000 × $1 / million = 139.9995 + 500
  row("sound for Gemini 2.5", "gemini", "gemini-2.5-flash", 640, told(1100, 100, { audioInputTokens: 1000 })),
  // (100 + 400) × 0.05 + 350
  row(
    "sound for Gemini 2.0, streamed",
    "chat streamed",
    "gemini-2.0-flash",
    375,
    told(1100, 100, { audioInputTokens: 1000 }),
  ),
  // 1400 × 0.05 + $0.035, whatever the number of searches
  row("Google's search", "gemini", "gemini-2.0-flash", 17_570, told(1000, 100, { searches: 3 })),
  // × 0.8
  row("Google's search, streamed, in a group", "chat streamed", "gemini-2.0-flash", 14_056, told(1000, 100, SEARCHED), {
    group: "vip",
  }),
  // (1000 + 400) × 2 + 2 × $0.014
  row("each search of Gemini 3", "messages", "gemini-3-flash-preview", 16_800, told(1000, 100, { searches: 2 })),
  // 2 × $0.03
  row("Imagen by the piece", "images", "imagen-3.0-generate-002", 30_000, { text: "two pictures" }, { body: { n: 2 } }),
  row("images for Gemini count as text", "gemini", "gemini-2.0-flash", 150, told(1000, 500, { imageInputTokens: 258 })),
];

const TOOLS: readonly PriceRow[] = [
  row("responses", "responses", "gpt-4o", 3375, told(1000, 500, CACHED)),
  row("responses, streamed", "responses streamed", "gpt-4o", 3375, told(1000, 500, CACHED)),
  // 3750 + $0.025
  row("a web search", "responses", "gpt-4o", 16_250, { ...told(1000, 500), ownTools: [SEARCH, OPEN] }),
  row("two web searches, streamed", "responses streamed", "gpt-4o", 28_750, {
    ...told(1000, 500),
    ownTools: [SEARCH, SEARCH],
  }),
  // 3000 + $0.01
  row("a web search of a reasoning model", "responses streamed", "o3", 8000, {
    ...told(1000, 500),
    ownTools: [SEARCH],
  }),
  // 1800 × 0.625 + $0.0025
  row("a file search", "responses", "gpt-5", 2375, { ...told(1000, 100), ownTools: [FILES] }),
  // 1125 + $0.063
  row("a drawn image", "responses", "gpt-5", 32_625, { ...told(1000, 100), ownTools: [drawn("medium", "1024x1536")] }),
  // 1125 + $0.167
  row("a drawn image of unknown kind, streamed", "responses streamed", "gpt-5", 84_625, {
    ...told(1000, 100),
    ownTools: [drawn("auto", "auto")],
  }),
  // (3000 + 5000 + 1250 + 5500) × 0.8
  row(
    "all tools in a group",
    "responses",
    "o3",
    11_800,
    { ...told(1000, 500), ownTools: [SEARCH, FILES, drawn("low", "1024x1024")] },
    { group: "vip" },
  ),
  // $0.01 + $0.025
  row("a tool beside a price by the call", "responses", "flat-model", 17_500, {
    ...told(1000, 500),
    ownTools: [SEARCH],
  }),
  // (1000 + 2000) × 1.25 + $0.025
  row("a model that always searches", "chat", "gpt-4o-search-preview", 16_250, told(1000, 500)),
  row("a model that always searches, streamed", "messages streamed", "gpt-4o-search-preview", 16_250, told(1000, 500)),
];

const MEDIA: readonly PriceRow[] = [
  // (100 + 300×40 + 50×4 + 200×80) × 1.25
  row("sound in a chat", "chat", "gpt-4o-audio-preview", 35_375, told(400, 250, AUDIO)),
  row("sound in a chat, streamed", "chat streamed", "gpt-4o-audio-preview", 35_375, told(400, 250, AUDIO)),
  // AudioRatio 5, AudioCompletionRatio 0.75: (100 + 1500 + 50 + 750) × 2
  row("sound at an operator's ratios", "chat", "my-audio", 4800, told(400, 250, AUDIO)),
  // (400 + 600×2 + 100) × 2
  row("images in a prompt at an operator's ratio", "chat", "my-eyes", 3400, told(1000, 100, { imageInputTokens: 600 })),
  row("embeddings", "embeddings", "text-embedding-3-small", 10, told(1000, 0)),
  // 65.65
  row("a large embedding", "embeddings", "text-embedding-3-large", 66, told(1010, 0)),
  row("reranking by the call", "rerank", "rerank-flat", 500, told(1000, 0)),
  // 1000 × 0.5
  row("reranking by tokens", "rerank", "rerank-tokens", 500, told(1000, 0)),
  // 2 × 0.1
  row("moderation by the tokenizer", "moderations", "text-moderation-stable", 1, SILENT, {
    body: { input: "hello world" },
  }),
  // (50 + 2000 + 32000) × 2.5
  row("images by tokens", "images", "gpt-image-1", 85_125, told(1050, 4000, { imageInputTokens: 1000 })),
  // $0.04
  row("an image by the piece", "images", "dall-e-3", 20_000),
  // × 2 × 1.5
  row("a large fine image", "images", "dall-e-3", 60_000, SILENT, { body: { size: "1792x1024", quality: "hd" } }),
  // 0.0025 × 8 × 0.4 × 3 × 500000
  row("several small images by ratio", "images", "dall-e-2", 12_000, SILENT, { body: { size: "256x256", n: 3 } }),
  // 10 × 7.5
  row("speech by the character", "speech", "tts-1", 75, SILENT, { body: { input: "Grüße, 東京!" } }),
  // 2 s: round(2 / 60 × 1000) = 33 × 15 = 495
  row("a recording by its length", "transcriptions", "whisper-1", 495),
];

const CF = "@cf/black-forest-labs";

/** A file of the form, in its JSON representation. */
const XAI_PICTURE = { type: "image_url", url: "data:image/png;base64,iVBORw0KGgo=" };

const VENDOR_MEDIA: readonly PriceRow[] = [
  // Three images requested, one returned: $0.03
  row(
    "Imagen, two of three filtered",
    "images",
    "imagen-3.0-generate-002",
    15_000,
    { text: "one" },
    { body: { n: 3 } },
  ),
  // Two images requested, the task returned one: $0.025
  row("DashScope's task that drew half", "images", "wan2.2-t2i-flash", 12_500, SILENT, { body: { n: 2 } }),
  // $0.025, as a task
  row("DashScope's task", "images", "wan2.2-t2i-flash", 12_500),
  // $0.035, $0.075 × 0.8, 3 × $0.035
  row("DashScope's answer at once", "images", "qwen-image", 17_500, SILENT, { body: { size: "1328x1328" } }),
  row("DashScope's answer at once, in a group", "images", "qwen-image-max", 30_000, SILENT, { group: "vip" }),
  row("several at once", "images", "qwen-image-2.0", 52_500, SILENT, { body: { n: 3 } }),
  // 2 × $0.03, $0.03 as a task
  row("DashScope's edits at once", "edits", "qwen-image-edit-plus", 30_000, SILENT, { body: { n: 2 } }),
  row("DashScope's edit as a task", "edits", "wan2.5-i2i-preview", 15_000),
  // 1000 × 0.5, as set by the test's operator
  row("DashScope's rerank", "rerank", "gte-rerank-v2", 500),
  // 26, as counted by upstream, × 50
  row("MiniMax's speech by the character", "speech", "speech-2.8-hd", 1_300, SILENT, {
    body: { input: "今天是不是很开心呀，当然了！", voice: "Wise_Woman" },
  }),
  // 20, as counted by upstream, × 5
  row("DashScope's speech by the character", "speech", "qwen3-tts-flash", 100, SILENT, {
    body: { input: "今天是不是很开心呀", voice: "Cherry" },
  }),
  // 2 × $0.02
  row("xAI's edits", "edits", "grok-imagine-image", 20_000, SILENT, {
    body: { n: 2 },
    asked: { n: 2, images: [XAI_PICTURE, XAI_PICTURE] },
  }),
  // $0.00066
  row("Workers AI in base64", "images", `${CF}/flux-1-schnell`, 330),
  // $0.001, as set by the test's operator
  row("Workers AI in bytes", "images", "@cf/stabilityai/stable-diffusion-xl-base-1.0", 500),
  // $0.026
  row("Workers AI in bytes, by tiles", "images", "@cf/leonardo/phoenix-1.0", 13_000),
  // $0.041 for four tiles; eight of them
  row("Workers AI by a form", "images", `${CF}/flux-2-dev`, 20_500),
  row("Workers AI by a form, wide", "images", `${CF}/flux-2-dev`, 41_000, SILENT, { body: { size: "2048x1024" } }),
  row("Workers AI's edit by a form", "edits", `${CF}/flux-2-dev`, 20_500),
  // $0.0012 × 1 / 4
  row("a small one", "images", `${CF}/flux-2-klein-4b`, 150, SILENT, { body: { width: 512, height: 512 } }),
  // Two seconds are 33 tokens: × 0.25 = 8.25
  row("Workers AI's transcript", "transcriptions", "@cf/openai/whisper", 8),
  // 61.5 s reported: 1025 or 1033 tokens × 0.25
  row("Workers AI's transcript of a told length", "transcriptions", "@cf/openai/whisper-large-v3-turbo", 258),
  row("Workers AI's translation", "translations", "@cf/openai/whisper-large-v3-turbo", 258),
];

const CLAUDE_SEARCH = { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 5 }] };
const SEARCHING = { body: { web_search_options: {} } };

const SEARCHES: readonly PriceRow[] = [
  // (2095 + 63×5) × 1.5 + 2 × $0.01
  row("Claude's search for OpenAI's callers", "chat", CLAUDE, 13_615, recorded("anthropic/__fixtures__/search.json"), {
    ...SEARCHING,
    asked: CLAUDE_SEARCH,
  }),
  row("the same, streamed", "chat streamed", CLAUDE, 13_615, recorded("anthropic/__fixtures__/search.chunks.txt"), {
    ...SEARCHING,
    asked: CLAUDE_SEARCH,
  }),
  // (9 + 14×4) × 2 + 2 × $0.014
  row(
    "Google's search for OpenAI's callers",
    "chat",
    "gemini-3-flash-preview",
    14_130,
    recorded("gemini/__fixtures__/search.json"),
    { ...SEARCHING, asked: { tools: [{ googleSearch: {} }] } },
  ),
  row(
    "Google's search for OpenAI's callers, streamed",
    "chat streamed",
    "gemini-3-flash-preview",
    14_130,
    recorded("gemini/__fixtures__/search.chunks.txt"),
    { ...SEARCHING, asked: { tools: [{ googleSearch: {} }] } },
  ),
];

const UNTOLD: Scenario = { text: "one two three", usage: "missing" };

/** A PNG whose header says 512 × 512. */
const SQUARE = Buffer.from("89504e470d0a1a0a0000000d494844520000020000000200", "hex").toString("base64");

function withPicture(detail: string): Readonly<Record<string, unknown>> {
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${SQUARE}`, detail } };
  return { messages: [{ role: "user", content: [{ type: "text", text: "hello world" }, picture] }] };
}

const ESTIMATES: readonly PriceRow[] = [
  // "hello world" is 2 tokens, a message 3 and the list of them 3; "one two three" is 3 tokens: (8 + 12) × 1.25
  row("no usage told", "chat", "gpt-4o", 25, { text: "one two three", usage: "missing" }),
  row("no usage told, streamed", "chat streamed", "gpt-4o", 25, { text: "one two three", usage: "missing" }),
  // (8 + 15) × 1.5 = 34.5
  row("usage of zero though text came", "messages streamed", CLAUDE, 35, { text: "one two three", usage: "zero" }),
  // A square of 512: (8 + 85 + 170 + 12) × 1.25 = 343.75
  row("a picture, no usage told", "chat", "gpt-4o", 344, UNTOLD, { body: withPicture("high") }),
  // (8 + 85 + 12) × 1.25 = 131.25
  row("a picture in low detail, streamed", "chat streamed", "gpt-4o", 131, UNTOLD, { body: withPicture("low") }),
  // 512 × 512 ÷ 750 = 349.5: (8 + 350 + 15) × 1.5 = 559.5
  row("a picture for Claude", "chat", CLAUDE, 560, UNTOLD, { body: withPicture("auto") }),
  row("an empty answer", "chat streamed", "gpt-4o", 0, { pieces: 0, usage: "missing" }),
  row("an empty answer at a price by the call", "chat streamed", "flat-model", 0, { pieces: 0, usage: "missing" }),
  row("an empty answer at a price by the call, whole", "responses", "flat-model", 0, { text: "", usage: "missing" }),
];

export const PRICE_ROWS: readonly PriceRow[] = [
  ...TEXT,
  ...CLAUDES,
  ...GOOGLES,
  ...TOOLS,
  ...MEDIA,
  ...VENDOR_MEDIA,
  ...SEARCHES,
  ...ESTIMATES,
];
