import { SILENT, reported, row, type PriceRow } from "./price-row.ts";

const AUDIO = { audioInputTokens: 300, audioOutputTokens: 200 };
const CF = "@cf/black-forest-labs";

/** A file of the form, in its JSON representation. */
const XAI_IMAGE = { type: "image_url", url: "data:image/png;base64,iVBORw0KGgo=" };

export const MEDIA: readonly PriceRow[] = [
  // 100 × 1.25 + 300 × 20 + 50 × 5 + 200 × 40
  row("audio in a chat", "chat", "gpt-4o-audio-preview", 14_375, reported(400, 250, AUDIO)),
  row("audio in a chat, streamed", "chat streamed", "gpt-4o-audio-preview", 14_375, reported(400, 250, AUDIO)),
  // AudioRatio 5, AudioCompletionRatio 0.75: (100 + 1500 + 50 + 750) × 2
  row("audio at an operator's ratios", "chat", "my-audio", 4800, reported(400, 250, AUDIO)),
  // (400 + 600×2 + 100) × 2
  row(
    "images in a prompt at an operator's ratio",
    "chat",
    "my-eyes",
    3400,
    reported(1000, 100, { imageInputTokens: 600 }),
  ),
  row("embeddings", "embeddings", "text-embedding-3-small", 10, reported(1000, 0)),
  // 65.65
  row("a large embedding", "embeddings", "text-embedding-3-large", 66, reported(1010, 0)),
  row("reranking per call", "rerank", "rerank-flat", 500, reported(1000, 0)),
  // 1000 × 0.5
  row("reranking per token", "rerank", "rerank-tokens", 500, reported(1000, 0)),
  // 2 × 0.1
  row("moderation by the tokenizer", "moderations", "text-moderation-stable", 1, SILENT, {
    body: { input: "hello world" },
  }),
  // 50 × 2.5 + 1000 × 5 + 4000 × 20
  row("images per token", "images", "gpt-image-1", 85_125, reported(1050, 4000, { imageInputTokens: 1000 })),
  // $0.04
  row("an image per piece", "images", "dall-e-3", 20_000),
  // × 2 × 1.5
  row("a large image of high quality", "images", "dall-e-3", 60_000, SILENT, {
    body: { size: "1792x1024", quality: "hd" },
  }),
  // 0.0025 × 8 × 0.4 × 3 × 500000
  row("several small images by ratio", "images", "dall-e-2", 12_000, SILENT, { body: { size: "256x256", n: 3 } }),
  // 10 × 7.5
  row("speech per character", "speech", "tts-1", 75, SILENT, { body: { input: "Grüße, 東京!" } }),
  // 2 s at $0.0001
  row("a recording by its duration", "transcriptions", "whisper-1", 100),
];

export const VENDOR_MEDIA: readonly PriceRow[] = [
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
  row("DashScope's task with half of the images", "images", "wan2.2-t2i-flash", 12_500, SILENT, { body: { n: 2 } }),
  // $0.025, as a task
  row("DashScope's task", "images", "wan2.2-t2i-flash", 12_500),
  // $0.035, $0.075 × 0.8, 3 × $0.035
  row("DashScope's immediate response", "images", "qwen-image", 17_500, SILENT, { body: { size: "1328x1328" } }),
  row("DashScope's immediate response, in a group", "images", "qwen-image-max", 30_000, SILENT, { group: "vip" }),
  row("several in one response", "images", "qwen-image-2.0", 52_500, SILENT, { body: { n: 3 } }),
  // 2 × $0.03, $0.03 as a task
  row("DashScope's immediate edits", "edits", "qwen-image-edit-plus", 30_000, SILENT, { body: { n: 2 } }),
  row("DashScope's edit as a task", "edits", "wan2.5-i2i-preview", 15_000),
  // 1000 × 0.5, as set by the test's operator
  row("DashScope's rerank", "rerank", "gte-rerank-v2", 500),
  // 26, as counted by upstream, × 50
  row("MiniMax's speech per character", "speech", "speech-2.8-hd", 1_300, SILENT, {
    body: { input: "今天是不是很开心呀，当然了！", voice: "Wise_Woman" },
  }),
  // 20, as counted by upstream, × 5
  row("DashScope's speech per character", "speech", "qwen3-tts-flash", 100, SILENT, {
    body: { input: "今天是不是很开心呀", voice: "Cherry" },
  }),
  // 2 × $0.02
  row("xAI's edits", "edits", "grok-imagine-image", 20_000, SILENT, {
    body: { n: 2 },
    requested: { n: 2, images: [XAI_IMAGE, XAI_IMAGE] },
  }),
  // $0.00066
  row("Workers AI as base64", "images", `${CF}/flux-1-schnell`, 330),
  // $0.001, as set by the test's operator
  row("Workers AI as bytes", "images", "@cf/stabilityai/stable-diffusion-xl-base-1.0", 500),
  // $0.026
  row("Workers AI as bytes, by tiles", "images", "@cf/leonardo/phoenix-1.0", 13_000),
  // $0.041 for four tiles; eight of them
  row("Workers AI from a form", "images", `${CF}/flux-2-dev`, 20_500),
  row("Workers AI from a form, wide", "images", `${CF}/flux-2-dev`, 41_000, SILENT, { body: { size: "2048x1024" } }),
  row("Workers AI's edit from a form", "edits", `${CF}/flux-2-dev`, 20_500),
  // $0.0012 × 1 / 4
  row("a small image", "images", `${CF}/flux-2-klein-4b`, 150, SILENT, { body: { width: 512, height: 512 } }),
  // Two seconds are 33 tokens: × 0.25 = 8.25
  row("Workers AI's transcript", "transcriptions", "@cf/openai/whisper", 8),
  // 61.5 s reported, 62 started: $0.00051 / 60 each
  row("Workers AI's transcript of a reported duration", "transcriptions", "@cf/openai/whisper-large-v3-turbo", 264),
  row("Workers AI's translation", "translations", "@cf/openai/whisper-large-v3-turbo", 264),
];
