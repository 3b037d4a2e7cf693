import { endpoint, reading, tokensUsage } from "./endpoint-format.ts";
import { openaiFormat } from "./openai-format.ts";
import { compaction, responses } from "./responses-format.ts";
import type { PlannedResponse, ServedUsage } from "./scenario.ts";
import { type JsonObject, textIn, type WireFormat } from "./wire-format.ts";

const inputUsage = (usage: ServedUsage | undefined): JsonObject =>
  usage === undefined ? {} : { usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens } };

const embeddings = endpoint({
  read: reading("input"),
  whole: ({ model, usage }) => ({
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.5, -1, 2] }],
    model,
    ...inputUsage(usage),
  }),
});

const moderations = endpoint({
  read: reading("input"),
  whole: ({ model }) => ({ id: "modr-1", model, results: [{ flagged: false, categories: {}, category_scores: {} }] }),
});

const rerank = endpoint({
  read: reading("query", "documents"),
  whole: ({ model, usage }) => ({
    model,
    results: [{ index: 1, relevance_score: 0.9 }],
    ...(usage === undefined ? {} : { usage: { total_tokens: usage.inputTokens } }),
  }),
});

const images = endpoint({
  read: reading("prompt"),
  whole: ({ createdAtSeconds, model, usage, count = 1 }) => ({
    created: createdAtSeconds,
    data: Array.from({ length: count }, (_, index) => ({ url: `https://images/${index + 1}.png` })),
    ...(model.startsWith("gpt-image") && usage ? { usage: tokensUsage(usage) } : {}),
  }),
});

const audio = endpoint({
  read: reading("input"),
  whole: ({ pieces }) => ({ sound: pieces.join("") }),
  responseType: "audio/mpeg",
});
const transcription = endpoint({
  read: reading("file"),
  whole: ({ pieces }) => ({ text: pieces.join("") }),
});

const completionUsage = ({ inputTokens, outputTokens }: ServedUsage): JsonObject => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});
const completionHead = ({ id, createdAtSeconds, model }: PlannedResponse): JsonObject => ({
  id: `cmpl-${id}`,
  object: "text_completion",
  created: createdAtSeconds,
  model,
});
const completionChoice = (text: string, reason: string | null): JsonObject => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: reason,
});

const completions = endpoint({
  read: reading("prompt"),
  whole: (response) => ({
    ...completionHead(response),
    choices: [completionChoice(response.pieces.join(""), response.finish)],
    ...(response.usage ? { usage: completionUsage(response.usage) } : {}),
  }),
  frames(response, requested) {
    const frame = (data: JsonObject): string => `data: ${JSON.stringify({ ...completionHead(response), ...data })}\n\n`;
    const chunk = (text: string, reason: string | null): string => frame({ choices: [completionChoice(text, reason)] });
    const last =
      requested.includesUsage && response.usage ? [frame({ choices: [], usage: completionUsage(response.usage) })] : [];
    return [
      ...response.pieces.map((text) => chunk(text, null)),
      chunk("", response.finish),
      ...last,
      "data: [DONE]\n\n",
    ];
  },
});

const googleEmbeddings: WireFormat = {
  ...openaiFormat,
  whole: () => ({ embeddings: [{ values: [1, 2] }] }),
  readKey: ({ headers }) => headers["x-goog-api-key"],
  read: ({ path, body }) => ({
    model: /models\/([^:]+)/.exec(path)?.[1] ?? "",
    stream: false,
    promptText: textIn(body["requests"]),
    includesUsage: false,
  }),
};

/** Imagen's images, as many as requested. */
const predictions: WireFormat = {
  ...googleEmbeddings,
  whole: ({ pieces }) => ({
    predictions: Array.from({ length: Math.max(1, pieces.length) }, () => ({
      mimeType: "image/png",
      bytesBase64Encoded: "aGk=",
    })),
  }),
  read: ({ path, body }) => ({
    model: /models\/([^:]+)/.exec(path)?.[1] ?? "",
    stream: false,
    promptText: textIn(body["instances"]),
    includesUsage: false,
  }),
};

const FORMATS: readonly (readonly [RegExp, WireFormat])[] = [
  [/\/embeddings$/, embeddings],
  [/:(batchE|e)mbedContents?$/, googleEmbeddings],
  [/:predict$/, predictions],
  [/\/moderations$/, moderations],
  [/\/rerank(ers)?$/, rerank],
  [/\/images\/\w+$/, images],
  [/\/audio\/speech$/, audio],
  [/\/audio\/(transcriptions|translations)$/, transcription],
  [/\/responses$/, responses],
  [/\/responses\/compact$/, compaction],
  [/(?<!\/chat)\/completions$/, completions],
];

/** OpenAI's non-chat endpoints, by path. */
export const getEndpointFormat = (path: string): WireFormat | undefined =>
  FORMATS.find(([pattern]) => pattern.test(path))?.[1];
