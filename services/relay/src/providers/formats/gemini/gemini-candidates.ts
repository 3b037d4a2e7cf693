import { NO_USAGE, withParts } from "@turnpike/contract/pricing/usage";
import type { ContentPart, FinishReason, Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asText, compact } from "../../../core/chat/json.ts";
import { newToolCallId } from "../../../core/chat/tool-calls.ts";
import { failureOf } from "../../shared/upstream-failure.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";
import { geminiTraits } from "./gemini-models.ts";

const tokensOf = (details: unknown, modality: string): number =>
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
  const answered = asCount(usage?.["candidatesTokenCount"]) + reasoningTokens;
  const told = {
    promptTokens,
    completionTokens: Math.max(answered, asCount(usage?.["totalTokenCount"]) - promptTokens),
    cacheReadTokens: asCount(usage?.["cachedContentTokenCount"]),
    cacheWriteTokens: 0,
    reasoningTokens,
  };
  const details = usage?.["promptTokensDetails"];
  if (!Array.isArray(details)) return told;
  const cached = usage?.["cacheTokensDetails"];
  return withParts(told, {
    audioPromptTokens: tokensOf(details, "AUDIO") - tokensOf(cached, "AUDIO"),
    imagePromptTokens: tokensOf(details, "IMAGE") - tokensOf(cached, "IMAGE"),
  });
}

/** The name under which Google's own searches are priced. */
const GOOGLE_SEARCH = "google_search";

/**
 * The number of billed searches of a candidate: from the third generation on Google bills each query, before that each
 * prompt with a search.
 */
export function countSearches(candidate: Json | undefined, model: string): number {
  const queries = asList(asObject(candidate?.["groundingMetadata"])?.["webSearchQueries"]).length;
  return geminiTraits(model).isThirdGeneration ? queries : Math.min(queries, 1);
}

/**
 * The usage with the searches added; if upstream reported none, it contains only the searches, and the tokens are
 * estimated later.
 */
export function withSearches(usage: ReportedUsage, searches: number): ReportedUsage {
  if (searches === 0) return usage;
  return withParts(usage ?? NO_USAGE, { toolCalls: { [GOOGLE_SEARCH]: searches } });
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
]);

/** Maps the finish reason; Gemini returns STOP for function calls too. */
export function readGeminiFinish(word: string, hasToolCalls: boolean): FinishReason {
  if (word === "STOP") return hasToolCalls ? "tool-calls" : "stop";
  if (word === "MAX_TOKENS") return "length";
  return FILTERED.has(word) ? "content-filter" : "other";
}

const fence = (language: string, code: string): ContentPart => ({
  type: "text",
  text: `\n\`\`\`${language.toLowerCase()}\n${code}\n\`\`\`\n`,
});

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
  return result ? [fence("", asText(result["output"]) ?? "")] : [];
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

/** The first candidate; throws StreamFailure if the prompt was blocked. */
export function readCandidate(body: Json): Json | undefined {
  const candidate = asObject(asList(body["candidates"])[0]);
  const blockReason = asText(asObject(body["promptFeedback"])?.["blockReason"]);
  if (candidate || !blockReason || blockReason === "BLOCK_REASON_UNSPECIFIED") return candidate;
  throw new StreamFailure(
    failureOf(`the prompt was blocked by the provider: ${blockReason}`, {
      type: "invalid_request_error",
      code: "content_filter",
    }),
    400,
  );
}

/** The parts of a candidate as Gemini sent them. */
export const partsOf = (candidate: Json | undefined): readonly unknown[] =>
  asList(asObject(candidate?.["content"])?.["parts"]);
