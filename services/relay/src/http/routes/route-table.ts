import type { Dialect, PathValues } from "../../core/call/dialect.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiEmbeddings } from "../../dialects/endpoints/embeddings.ts";
import { geminiBatchEmbed, geminiEmbed } from "../../dialects/endpoints/gemini-embed.ts";
import { openAiImageEdits } from "../../dialects/endpoints/image-edits.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { openAiModerations } from "../../dialects/endpoints/moderations.ts";
import { rerank } from "../../dialects/endpoints/rerank.ts";
import { openAiSpeech } from "../../dialects/endpoints/speech.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiTranscriptions, openAiTranslations } from "../../dialects/endpoints/transcriptions.ts";
import { openAiCompletions } from "../../dialects/openai-completions/openai-completions.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

import type { CountForm } from "./token-counts.ts";

/** A route: the dialect of a call, and the values in its URL that the body does not contain. */
export type Route = { readonly dialect: Dialect; readonly facts?: PathValues };

/** Routes with a fixed path. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "/v1/chat/completions": { dialect: openAiChat },
  "/v1/messages": { dialect: anthropicMessages },
  "/v1/completions": { dialect: openAiCompletions },
  "/v1/embeddings": { dialect: openAiEmbeddings },
  "/v1/responses": { dialect: openAiResponses },
  "/v1/moderations": { dialect: openAiModerations },
  "/v1/images/generations": { dialect: openAiImages },
  "/v1/images/edits": { dialect: openAiImageEdits },
  "/v1/audio/transcriptions": { dialect: openAiTranscriptions },
  "/v1/audio/translations": { dialect: openAiTranslations },
  "/v1/audio/speech": { dialect: openAiSpeech },
  "/v1/rerank": { dialect: rerank },
  "/v2/rerank": { dialect: rerank },
};

// The method follows the last colon: names may contain colons (llama3:8b).
const GEMINI_PATH = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/;
const ENGINE_PATH = /^\/v1\/engines\/(.+)\/embeddings$/;

const GEMINI_CALLS: Readonly<Record<string, { readonly dialect: Dialect; readonly stream: boolean }>> = {
  generateContent: { dialect: geminiGenerate, stream: false },
  streamGenerateContent: { dialect: geminiGenerate, stream: true },
  embedContent: { dialect: geminiEmbed, stream: false },
  batchEmbedContents: { dialect: geminiBatchEmbed, stream: false },
};

/** Decodes a name from a URL; throws invalid_request if it is invalid. */
export function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (cause) {
    throw new RelayError("invalid_request", "the model's name in the URL cannot be decoded", { cause });
  }
}

/** The route of a POST whose URL names the model; undefined for other URLs. */
export function findModelRoute(path: string): Route | undefined {
  const google = GEMINI_PATH.exec(path);
  if (google) {
    const call = GEMINI_CALLS[google[2] ?? ""];
    return call && { dialect: call.dialect, facts: { model: decodeName(google[1] ?? ""), stream: call.stream } };
  }
  const engine = ENGINE_PATH.exec(path);
  return engine
    ? { dialect: openAiEmbeddings, facts: { model: decodeName(engine[1] ?? ""), stream: false } }
    : undefined;
}

const COUNT_PATH = /^\/v1(?:beta)?\/models\/(.+):countTokens$/;

/** The format of a token count request, and the model if the URL names it; undefined for other URLs. */
export function findCountRoute(
  path: string,
): { readonly form: CountForm; readonly model: string | undefined } | undefined {
  if (path === "/v1/messages/count_tokens") return { form: "anthropic", model: undefined };
  const google = COUNT_PATH.exec(path);
  return google ? { form: "google", model: decodeName(google[1] ?? "") } : undefined;
}

const UNIMPLEMENTED = [
  /^\/v1\/(files|uploads|batches|fine-tunes|fine_tuning|assistants|threads|vector_stores|conversations)(\/.*)?$/,
  /^\/v1\/(containers|evals|videos|video)(\/.*)?$/,
  /^\/v1\/(chat\/completions|realtime)\/.+$/,
  /^\/v1\/responses\/.+$/,
  /^\/v1\/messages\/batches(\/.*)?$/,
  /^(\/upload)?\/v1(beta)?\/(files|cachedContents|batches|tunedModels|fileSearchStores|interactions)([/:].*)?$/,
  /^\/v1\/images\/variations$/,
  /^\/v1\/edits$/,
];

/** Provider APIs that a gateway of this kind does not implement: they get 501 in the caller's format. */
export const isUnimplemented = (method: string, path: string): boolean =>
  UNIMPLEMENTED.some((pattern) => pattern.test(path)) || (method === "DELETE" && path.startsWith("/v1/models/"));
