import { toMarkdownParts, toMarkdownMedia } from "../shared/response-media.ts";
import type { ChatRequest, ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { getText } from "../../core/chat/messages.ts";
import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { ResponseContext, CommonFields, Dialect, StreamWriter } from "../../core/call/dialect.ts";
import { getModel, requireContent } from "../endpoints/endpoint-fields.ts";
import {
  invalidField,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  optionalTokenBound,
  requireObject,
} from "../shared/fields.ts";
import { writeOpenAiError } from "../openai-chat/openai-error.ts";
import { OPENAI_FINISH, openAiUsage } from "../openai-chat/openai-wire.ts";
import { atMost } from "../shared/chat-fields.ts";
import { dataEvent } from "../shared/sse.ts";

/** The API's default if no limit is set. */
const OUTPUT_TOKENS_DEFAULT = 16;

/** The number of choices of a call: the number of prompts times `n`. */
function responseCount(body: Json): number {
  const prompt = body["prompt"];
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
  const each = Math.max(optionalNumber(body["n"], "n") ?? 1, optionalNumber(body["best_of"], "best_of") ?? 1, 1);
  return prompts * each;
}

function readFields(body: Json): CommonFields {
  const model = getModel(body, undefined);
  requireContent(body["prompt"], "prompt");
  const options = optionalObject(body["stream_options"], "stream_options");
  const bound = optionalTokenBound(body["max_tokens"], "max_tokens") ?? OUTPUT_TOKENS_DEFAULT;
  return {
    model,
    stream: optionalBoolean(body["stream"], "stream") ?? false,
    includeUsage: optionalBoolean(options?.["include_usage"], "stream_options.include_usage") ?? false,
    maxOutputTokens: bound * responseCount(body),
  };
}

/** The single text prompt that a chat model can continue. */
function readPrompt(prompt: unknown): string {
  const only = Array.isArray(prompt) && prompt.length === 1 ? (prompt[0] as unknown) : prompt;
  if (typeof only === "string") return only;
  throw invalidField("prompt", "must be one text for this model: it is served through chat");
}

/** The prompt as a message, for chat-only channels. Throws invalid_request for fields without a chat equivalent. */
function parseRequest(value: unknown): ChatRequest {
  const body = requireObject(value, "body");
  for (const name of ["suffix", "echo", "logprobs"]) {
    if (body[name]) throw invalidField(name, "is not supported for this model: it is served through chat");
  }
  return compact({
    ...readFields(body),
    system: [],
    messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: readPrompt(body["prompt"]) }] }],
    maxOutputTokens: optionalTokenBound(body["max_tokens"], "max_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    topP: optionalNumber(body["top_p"], "top_p"),
    stop: optionalTexts(body["stop"], "stop"),
    seed: optionalNumber(body["seed"], "seed"),
    presencePenalty: optionalNumber(body["presence_penalty"], "presence_penalty"),
    frequencyPenalty: optionalNumber(body["frequency_penalty"], "frequency_penalty"),
    candidateCount: optionalNumber(body["n"], "n"),
    user: optionalText(body["user"], "user"),
  });
}

const head = (context: ResponseContext) => ({
  id: `cmpl-${context.requestId}`,
  object: "text_completion",
  created: context.createdAtSeconds,
  model: context.model,
});

const choice = (text: string, finishReason: string | null) => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: finishReason,
});

/** Text only: a completion has no field for anything else. */
const writeResponse = (response: ChatResponse, context: ResponseContext): unknown => ({
  ...head(context),
  choices: [choice(getText(toMarkdownParts(response.parts)), OPENAI_FINISH[response.finishReason])],
  usage: openAiUsage(response.usage),
});

function newStreamWriter(context: ResponseContext): StreamWriter {
  const chunk = (text: string, reason: string | null): string =>
    dataEvent({ ...head(context), choices: [choice(text, reason)], ...(context.includeUsage ? { usage: null } : {}) });
  return {
    write(part: StreamPart): string {
      if (part.type === "text-delta") return chunk(part.text, null);
      if (part.type === "media") return chunk(toMarkdownMedia(part), null);
      if (part.type !== "finish") return "";
      const usage = context.includeUsage
        ? dataEvent({ ...head(context), choices: [], usage: openAiUsage(part.usage) })
        : "";
      return `${chunk("", OPENAI_FINISH[part.reason])}${usage}data: [DONE]\n\n`;
    },
    fail: (error, requestId) => dataEvent(writeOpenAiError(error, requestId)),
  };
}

/** OpenAI's legacy completions. Chat-only channels serve them too. */
export const openAiCompletions: Dialect = {
  name: "openai-completions",
  fallbackField: "models",
  passesBodyUnchanged: true,
  usageOnRequest: true,
  boundOutput: (body, tokens) => ({ fields: { max_tokens: atMost(body["max_tokens"], tokens) } }),
  readFields,
  endpoint: {
    isCacheable: true,
    prompt: (body) => collectFieldText(body, ["prompt", "suffix"]),
    promptOnly: false,
    isServedByChat: true,
  },
  parseRequest,
  writeResponse,
  newStreamWriter,
  writeError: writeOpenAiError,
};
