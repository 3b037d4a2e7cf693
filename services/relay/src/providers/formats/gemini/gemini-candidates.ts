import { NO_USAGE, withParts } from "@turnpike/contract/pricing/usage";
import type { ContentPart, FinishReason, Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asObjects, asText, compact } from "../../../core/chat/json.ts";
import { newToolCallId } from "../../../core/chat/tool-calls.ts";
import { getFailure } from "../../shared/upstream-failure.ts";
import { readTierName, readTrafficType } from "../../shared/service-tier.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";
import { geminiTraits } from "./gemini-models.ts";

const getTokens = (details: unknown, modality: string): number =>
  asList(details)
    .map((detail) => asObject(detail) ?? {})
    .filter((detail) => detail["modality"] === modality)
    .reduce((sum, detail) => sum + asCount(detail["tokenCount"]), 0);

/**
 * Gemini's usage: reasoning tokens are reported separately from the candidates' tokens and billed as output; tokens
 * read by server tools are input. Undefined if no count was sent.
 */
export function readGeminiUsage(value: unknown): ReportedUsage {
  const usage = asObject(value);
  if (asNumber(usage?.["promptTokenCount"]) === undefined) return undefined;
  const promptTokens = asCount(usage?.["promptTokenCount"]) + asCount(usage?.["toolUsePromptTokenCount"]);
  const reasoningTokens = asCount(usage?.["thoughtsTokenCount"]);
  const outputTokens = asCount(usage?.["candidatesTokenCount"]) + reasoningTokens;
  const reported = {
    promptTokens,
    completionTokens: Math.max(outputTokens, asCount(usage?.["totalTokenCount"]) - promptTokens),
    cacheReadTokens: asCount(usage?.["cachedContentTokenCount"]),
    cacheWriteTokens: 0,
    reasoningTokens,
  };
  const tier = readTrafficType(usage?.["trafficType"]) ?? readTierName(usage?.["serviceTier"]);
  return withParts(reported, { ...readModalities(usage), tier });
}

/** Tokens of audio, images and video; cached ones are parts of the cached tokens. */
function readModalities(usage: Json | undefined) {
  const cached = usage?.["cacheTokensDetails"];
  // What server tools return is read as input, too.
  const prompt = [...asList(usage?.["promptTokensDetails"]), ...asList(usage?.["toolUsePromptTokensDetails"])];
  const completion = asList(usage?.["candidatesTokensDetails"]);
  if (prompt.length === 0 && completion.length === 0) return {};
  const audioCacheReadTokens = getTokens(cached, "AUDIO");
  const imageCacheReadTokens = getTokens(cached, "IMAGE");
  return {
    audioPromptTokens: getTokens(prompt, "AUDIO") - audioCacheReadTokens,
    imagePromptTokens: getTokens(prompt, "IMAGE") - imageCacheReadTokens,
    videoPromptTokens: getTokens(prompt, "VIDEO") - getTokens(cached, "VIDEO"),
    audioCacheReadTokens,
    imageCacheReadTokens,
    audioCompletionTokens: getTokens(completion, "AUDIO"),
    imageCompletionTokens: getTokens(completion, "IMAGE"),
    videoCompletionTokens: getTokens(completion, "VIDEO"),
  };
}

/** Google's own tools that it bills by the query, by the names under which they are priced. */
export type GroundingCalls = { readonly google_search: number; readonly google_maps: number };

export const NO_GROUNDING: GroundingCalls = { google_search: 0, google_maps: 0 };

/**
 * The billed searches and map queries of a candidate: from the third generation on Google bills each query, before that each prompt
 * with one. Queries belong to Google Maps where only places are cited; a prompt with places is one query at least.
 */
export function countGrounding(candidate: Json | undefined, model: string): GroundingCalls {
  const metadata = asObject(candidate?.["groundingMetadata"]);
  if (!metadata) return NO_GROUNDING;
  const chunks = asObjects(metadata["groundingChunks"]);
  const hasPlaces =
    chunks.some(({ maps }) => maps !== undefined) || Boolean(asText(metadata["googleMapsWidgetContextToken"]));
  const isMapsOnly = hasPlaces && !chunks.some(({ web, image }) => web !== undefined || image !== undefined);
  const queries = asList(metadata["webSearchQueries"]).length + asList(metadata["imageSearchQueries"]).length;
  const limit = geminiTraits(model).isThirdGeneration ? queries : Math.min(queries, 1);
  return {
    google_search: isMapsOnly ? 0 : limit,
    google_maps: hasPlaces ? Math.max(1, isMapsOnly ? limit : 0) : 0,
  };
}

const countAll = (calls: GroundingCalls): number => calls.google_search + calls.google_maps;

/** The counts of a stream, which repeats its report: those of the fullest one. */
export const mergeGrounding = (before: GroundingCalls, now: GroundingCalls): GroundingCalls =>
  countAll(now) >= countAll(before) ? now : before;

/**
 * The usage with the searches and map queries added; if upstream reported none, it contains only these, and the tokens are estimated
 * later.
 */
export function withGrounding(usage: ReportedUsage, calls: GroundingCalls): ReportedUsage {
  const toolCalls = Object.fromEntries(Object.entries(calls).filter(([, count]) => count > 0));
  return Object.keys(toolCalls).length === 0 ? usage : withParts(usage ?? NO_USAGE, { toolCalls });
}

const FILTERED: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "MODEL_ARMOR",
]);

/** What the model wrote is no valid call of the offered tools, or no valid response: it was dropped. */
const FAILED: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "MALFORMED_RESPONSE",
]);

/**
 * Maps the finish reason; Gemini returns STOP for function calls too. Source: Gemini API reference, "FinishReason". Others
 * (OTHER, NO_IMAGE, IMAGE_OTHER) are no failure if there is content.
 */
export function readGeminiFinish(word: string, hasToolCalls: boolean): FinishReason {
  if (word === "STOP" || word === "") return hasToolCalls ? "tool-calls" : "stop";
  if (word === "MAX_TOKENS" || word === "CONTINUATION") return "length";
  if (FAILED.has(word)) return "failed";
  return FILTERED.has(word) ? "content-filter" : "other";
}

/** Google's reason and its explanation. */
export const getFinishDetail = (word: string, message: string | undefined): string =>
  message ? `${word}: ${message}` : word;

const fence = (language: string, code: string): ContentPart => ({
  type: "text",
  text: `\n\`\`\`${language.toLowerCase()}\n${code}\n\`\`\`\n`,
});

/** Generated media that Google stores. */
function readFile(file: Json): ContentPart[] {
  const url = asText(file["fileUri"]);
  if (!url) return [];
  const kind = asText(file["mimeType"])?.startsWith("image/") ? "![image]" : "[file]";
  return [{ type: "text", text: `${kind}(${url})` }];
}

/** The output of Gemini's own tools becomes Markdown: the other formats have no field for it. */
function readOther(part: Json): ContentPart[] {
  const inline = asObject(part["inlineData"]);
  if (inline) {
    const mediaType = asText(inline["mimeType"]) ?? "image/png";
    return [{ type: "image", source: { kind: "base64", mediaType, data: asText(inline["data"]) ?? "" } }];
  }
  const code = asObject(part["executableCode"]);
  if (code) return [fence(asText(code["language"]) ?? "", asText(code["code"]) ?? "")];
  const result = asObject(part["codeExecutionResult"]);
  if (result) return [fence("", asText(result["output"]) ?? "")];
  const file = asObject(part["fileData"]);
  if (file) return readFile(file);
  const transcription = asText(asObject(part["audioTranscription"])?.["text"]);
  return transcription ? [{ type: "text", text: transcription }] : [];
}

/** Converts one part of a candidate to the internal form; calls without an id get one. */
export function readGeminiPart(value: unknown): ContentPart[] {
  const part = asObject(value) ?? {};
  const call = asObject(part["functionCall"]);
  if (call) {
    return [
      compact({
        type: "tool-call" as const,
        id: asText(call["id"]) || newToolCallId(),
        name: asText(call["name"]) ?? "",
        argumentsText: JSON.stringify(call["args"] ?? {}),
        signature: asText(part["thoughtSignature"]),
      }),
    ];
  }
  const text = asText(part["text"]);
  if (text === undefined) return readOther(part);
  if (text === "") return [];
  return part["thought"] === true ? [{ type: "reasoning", text }] : [{ type: "text", text }];
}

/** The text of the candidates besides the first, which callers of other formats do not get. */
export function getOtherCandidatesText(body: Json): string {
  const candidates = asObjects(body["candidates"]);
  // Nearly every event of a stream has the first one alone.
  if (candidates.length <= 1 && (asNumber(candidates[0]?.["index"]) ?? 0) === 0) return "";
  const others = candidates.filter((candidate, place) => (asNumber(candidate["index"]) ?? place) > 0);
  const parts = others.flatMap((candidate) => getParts(candidate).flatMap(readGeminiPart));
  return parts
    .map((part) => {
      if (part.type === "tool-call") return part.name + part.argumentsText;
      return part.type === "text" || part.type === "reasoning" ? part.text : "";
    })
    .join("");
}

/** The first candidate; throws StreamFailure if the prompt was blocked. */
export function readCandidate(body: Json): Json | undefined {
  const candidates = asList(body["candidates"]);
  const candidate = asObject(candidates.find((each) => (asObject(each)?.["index"] ?? 0) === 0));
  const blockReason = asText(asObject(body["promptFeedback"])?.["blockReason"]);
  if (candidate || !blockReason || blockReason === "BLOCK_REASON_UNSPECIFIED") return candidate;
  const explanation = asText(asObject(body["promptFeedback"])?.["blockReasonMessage"]);
  throw new StreamFailure(
    getFailure(`the prompt was blocked by the provider: ${getFinishDetail(blockReason, explanation)}`, {
      type: "invalid_request_error",
      code: "content_filter",
    }),
    400,
    readGeminiUsage(body["usageMetadata"]),
  );
}

/** The parts of a candidate as Gemini sent them. */
export const getParts = (candidate: Json | undefined): readonly unknown[] =>
  asList(asObject(candidate?.["content"])?.["parts"]);
