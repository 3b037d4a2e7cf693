import { openaiFormat } from "./openai-format.ts";
import type { Answer, ServedUsage } from "./scenario.ts";
import {
  type Asked,
  type JsonObject,
  type ReceivedRequest,
  type Refusal,
  textIn,
  type WireFormat,
} from "./wire-format.ts";

const bad = (message: string): Refusal => ({ status: 400, message, type: "invalid_request_error" });

/** Reads a body that must name a model and hold something under some names. */
const reading =
  (...fields: readonly string[]) =>
  ({ body }: ReceivedRequest): Asked | Refusal => {
    const { model, stream } = body;
    if (typeof model !== "string" || model === "") return bad("you must provide a model parameter");
    const missing = fields.find((field) => body[field] === undefined || body[field] === "");
    if (missing !== undefined) return bad(`Missing required parameter: '${missing}'.`);
    const options = body["stream_options"] as JsonObject | undefined;
    return {
      model,
      stream: stream === true,
      promptText: fields.map((field) => textIn(body[field])).join("\n"),
      wantsUsage: options?.["include_usage"] === true,
    };
  };

const endpoint = (given: Pick<WireFormat, "read" | "whole"> & Partial<WireFormat>): WireFormat => ({
  ...openaiFormat,
  ...given,
});

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
  whole: ({ createdAtSeconds }) => ({ created: createdAtSeconds, data: [{ url: "https://images/1.png" }] }),
});

const sound = endpoint({
  read: reading("input"),
  whole: ({ pieces }) => ({ sound: pieces.join("") }),
  wholeType: "audio/mpeg",
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
const completionHead = ({ id, createdAtSeconds, model }: Answer): JsonObject => ({
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
  whole: (answer) => ({
    ...completionHead(answer),
    choices: [completionChoice(answer.pieces.join(""), answer.finish)],
    ...(answer.usage ? { usage: completionUsage(answer.usage) } : {}),
  }),
  frames(answer, asked) {
    const frame = (data: JsonObject): string => `data: ${JSON.stringify({ ...completionHead(answer), ...data })}\n\n`;
    const chunk = (text: string, reason: string | null): string => frame({ choices: [completionChoice(text, reason)] });
    const last = asked.wantsUsage && answer.usage ? [frame({ choices: [], usage: completionUsage(answer.usage) })] : [];
    return [...answer.pieces.map((text) => chunk(text, null)), chunk("", answer.finish), ...last, "data: [DONE]\n\n"];
  },
});

function response(answer: Answer, status: string): JsonObject {
  const { usage } = answer;
  const text = { type: "output_text", text: answer.pieces.join(""), annotations: [] };
  const message = { type: "message", id: "msg_1", status, role: "assistant", content: [text] };
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: answer.createdAtSeconds,
    status,
    error: null,
    model: answer.model,
    output: status === "completed" ? [message] : [],
    ...(usage && status === "completed"
      ? {
          usage: {
            input_tokens: usage.inputTokens,
            input_tokens_details: { cached_tokens: usage.cachedTokens },
            output_tokens: usage.outputTokens,
            output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
            total_tokens: usage.inputTokens + usage.outputTokens,
          },
        }
      : {}),
  };
}

const responses = endpoint({
  read: reading("input"),
  whole: (answer) => response(answer, "completed"),
  frames(answer) {
    let number = 0;
    const frame = (type: string, data: JsonObject): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`;
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
    return [
      frame("response.created", { response: response(answer, "in_progress") }),
      ...answer.pieces.map((delta) => frame("response.output_text.delta", { ...place, delta })),
      frame("response.completed", { response: response(answer, "completed") }),
    ];
  },
  errorFrame: () =>
    'event: error\ndata: {"type":"error","code":"server_error","message":"The server had an error.","param":null}\n\n',
});

const googleEmbeddings: WireFormat = {
  ...openaiFormat,
  whole: () => ({ embeddings: [{ values: [1, 2] }] }),
  keyOf: ({ headers }) => headers["x-goog-api-key"],
  read: ({ path, body }) => ({
    model: /models\/([^:]+)/.exec(path)?.[1] ?? "",
    stream: false,
    promptText: textIn(body["requests"]),
    wantsUsage: false,
  }),
};

const FORMATS: readonly (readonly [RegExp, WireFormat])[] = [
  [/\/embeddings$/, embeddings],
  [/:(batchE|e)mbedContents?$/, googleEmbeddings],
  [/\/moderations$/, moderations],
  [/\/rerank$/, rerank],
  [/\/images\/\w+$/, images],
  [/\/audio\/speech$/, sound],
  [/\/audio\/(transcriptions|translations)$/, transcription],
  [/\/responses$/, responses],
  [/(?<!\/chat)\/completions$/, completions],
];

/** OpenAI's endpoints beside chat, by their paths. */
export const endpointFormatOf = (path: string): WireFormat | undefined =>
  FORMATS.find(([pattern]) => pattern.test(path))?.[1];

/** The fields of a multipart body; files come as their bytes in latin1. */
export function readForm(bytes: Buffer, contentType: string): JsonObject | undefined {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1]?.replaceAll('"', "");
  if (!contentType.startsWith("multipart/form-data") || boundary === undefined) return undefined;
  const parts = bytes.toString("latin1").split(`--${boundary}`);
  if (parts.at(-1)?.trim() !== "--") throw new Error("the form does not end");
  const fields = parts.slice(1, -1).map((part): [string, string] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    return [/name="([^"]*)"/.exec(head)?.[1] ?? "", rest.join("\r\n\r\n").slice(0, -2)];
  });
  return Object.fromEntries(fields);
}
