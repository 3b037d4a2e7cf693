import { openaiFormat } from "./openai-format.ts";
import type { Answer, ServedUsage } from "./scenario.ts";
import {
  type Asked,
  type JsonObject,
  partsOf,
  type ReceivedRequest,
  type Refusal,
  textIn,
  type WireFormat,
} from "./wire-format.ts";

const bad = (message: string): Refusal => ({ status: 400, message, type: "invalid_request_error" });

/** Parses a body that must name a model and have content under some names. */
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
      count: Number(body["n"] ?? 1) || 1,
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

/** Token usage in the field names of the newer endpoints. */
const tokensUsage = (usage: ServedUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedTokens,
    text_tokens: usage.inputTokens - usage.imageInputTokens - usage.audioInputTokens,
    image_tokens: usage.imageInputTokens,
    audio_tokens: usage.audioInputTokens,
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
});

const images = endpoint({
  read: reading("prompt"),
  whole: ({ createdAtSeconds, model, usage, count = 1 }) => ({
    created: createdAtSeconds,
    data: Array.from({ length: count }, (_, index) => ({ url: `https://images/${index + 1}.png` })),
    ...(model.startsWith("gpt-image") && usage ? { usage: tokensUsage(usage) } : {}),
  }),
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

const functionCalls = (answer: Answer): JsonObject[] =>
  answer.toolCalls.map((call) => ({
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    status: "completed",
  }));

/** The model's reasoning in the items' form: a summary. */
const thoughtItems = ({ reasoning }: Answer): JsonObject[] =>
  reasoning.length === 0
    ? []
    : [{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: reasoning.join("") }] }];

/** The final status of a response that was cut short. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};
const endOf = ({ finish }: Answer): string => (INCOMPLETE[finish] === undefined ? "completed" : "incomplete");

function response(answer: Answer, status: string): JsonObject {
  const { usage } = answer;
  const hasEnded = status !== "in_progress";
  const hasText = answer.pieces.length > 0;
  const text = { type: "output_text", text: answer.pieces.join(""), annotations: [] };
  const message = { type: "message", id: "msg_1", status, role: "assistant", content: [text] };
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: answer.createdAtSeconds,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: INCOMPLETE[answer.finish] } : null,
    model: answer.model,
    output: hasEnded
      ? [...thoughtItems(answer), ...answer.ownTools, ...(hasText ? [message] : []), ...functionCalls(answer)]
      : [],
    tools: [],
    ...(usage && hasEnded ? { usage: tokensUsage(usage) } : {}),
  };
}

/** The events of the message, each with its own index in the output. */
function messageEvents(answer: Answer, outputIndex: number): [string, JsonObject][] {
  if (answer.pieces.length === 0) return [];
  const item = { type: "message", id: "msg_1", role: "assistant" };
  const place = { item_id: "msg_1", output_index: outputIndex, content_index: 0 };
  const part = { type: "output_text", text: answer.pieces.join(""), annotations: [] };
  const begun = { ...item, status: "in_progress", content: [] };
  return [
    ["response.output_item.added", { output_index: outputIndex, item: begun }],
    ["response.content_part.added", { ...place, part: { ...part, text: "" } }],
    ...answer.pieces.map((delta): [string, JsonObject] => ["response.output_text.delta", { ...place, delta }]),
    ["response.output_text.done", { ...place, text: part.text }],
    ["response.content_part.done", { ...place, part }],
    [
      "response.output_item.done",
      { output_index: outputIndex, item: { ...item, status: "completed", content: [part] } },
    ],
  ];
}

function thoughtEvents(answer: Answer): [string, JsonObject][] {
  const place = { item_id: "rs_1", output_index: 0, summary_index: 0 };
  return thoughtItems(answer).flatMap((item): [string, JsonObject][] => [
    ["response.output_item.added", { output_index: 0, item: { ...item, summary: [] } }],
    ...answer.reasoning.map((delta): [string, JsonObject] => [
      "response.reasoning_summary_text.delta",
      { ...place, delta },
    ]),
    ["response.output_item.done", { output_index: 0, item }],
  ]);
}

function callEvents(answer: Answer, from: number): [string, JsonObject][] {
  return functionCalls(answer).flatMap((item, index): [string, JsonObject][] => {
    const place = { item_id: item["id"], output_index: from + index };
    const begun = { ...item, status: "in_progress", arguments: "" };
    return [
      ["response.output_item.added", { output_index: from + index, item: begun }],
      ...partsOf(String(item["arguments"]), 7).map((delta): [string, JsonObject] => [
        "response.function_call_arguments.delta",
        { ...place, delta },
      ]),
      ["response.function_call_arguments.done", { ...place, name: item["name"], arguments: item["arguments"] }],
      ["response.output_item.done", { output_index: from + index, item }],
    ];
  });
}

const readResponse = reading("input");
/** Some models refuse parameters that others accept. */
const refusalOf = ({ body: { model, stream, temperature } }: ReceivedRequest): Refusal | undefined => {
  if (stream === true && /^(o1|gpt-5)-pro/.test(String(model)))
    return bad("Unsupported value: 'stream' does not support true with this model.");
  return temperature !== undefined && /-pro|codex/.test(String(model))
    ? bad("Unsupported parameter: 'temperature' is not supported with this model.")
    : undefined;
};

const responses = endpoint({
  read: (request) => refusalOf(request) ?? readResponse(request),
  whole: (answer) => response(answer, endOf(answer)),
  frames(answer) {
    const before = thoughtItems(answer).length;
    const own = answer.ownTools.map((item, index): [string, JsonObject] => [
      "response.output_item.done",
      { output_index: before + index, item },
    ]);
    const messageAt = before + own.length;
    const events: [string, JsonObject][] = [
      ["response.created", { response: response(answer, "in_progress") }],
      ...thoughtEvents(answer),
      ...own,
      ...messageEvents(answer, messageAt),
      ...callEvents(answer, messageAt + (answer.pieces.length > 0 ? 1 : 0)),
      [`response.${endOf(answer)}`, { response: response(answer, endOf(answer)) }],
    ];
    return events.map(
      ([type, data], number) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...data })}\n\n`,
    );
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
    wantsUsage: false,
  }),
};

const FORMATS: readonly (readonly [RegExp, WireFormat])[] = [
  [/\/embeddings$/, embeddings],
  [/:(batchE|e)mbedContents?$/, googleEmbeddings],
  [/:predict$/, predictions],
  [/\/moderations$/, moderations],
  [/\/rerank(ers)?$/, rerank],
  [/\/images\/\w+$/, images],
  [/\/audio\/speech$/, sound],
  [/\/audio\/(transcriptions|translations)$/, transcription],
  [/\/responses$/, responses],
  [/(?<!\/chat)\/completions$/, completions],
];

/** OpenAI's non-chat endpoints, by path. */
export const endpointFormatOf = (path: string): WireFormat | undefined =>
  FORMATS.find(([pattern]) => pattern.test(path))?.[1];

/** The fields of a multipart body; files are returned as their bytes in latin1. */
export function readForm(bytes: Buffer, contentType: string): JsonObject | undefined {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1]?.replaceAll('"', "");
  if (!contentType.startsWith("multipart/form-data") || boundary === undefined) return undefined;
  const parts = bytes.toString("latin1").split(`--${boundary}`);
  if (parts.at(-1)?.trim() !== "--") throw new Error("the form is incomplete");
  const fields = parts.slice(1, -1).map((part): [string, string] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    return [/name="([^"]*)"/.exec(head)?.[1] ?? "", rest.join("\r\n\r\n").slice(0, -2)];
  });
  return Object.fromEntries(fields);
}
