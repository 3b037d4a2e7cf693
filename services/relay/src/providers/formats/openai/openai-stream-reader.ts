import { NO_REASON, toFinishPart } from "../../../core/chat/finish-reasons.ts";
import type { Citation, Json, ReportedUsage, StreamPart } from "../../../core/chat/chat.ts";
import { asList, asObject, asText, parseJson } from "../../../core/chat/json.ts";
import { bareFailure, errorInside, parseEventData, unreadableResponse } from "../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../core/wire/stream.ts";
import { readTierName, withTier } from "../../shared/service-tier.ts";
import { readCitations } from "./openai-citations.ts";
import { createTextSkimmer } from "../../shared/text-skimmer.ts";
import { createToolCallReader } from "./openai-tool-calls.ts";
import { type OpenAiQuirks, readFinish, readOpenAiUsage, readReasoning, readText } from "./openai-usage.ts";

const DONE = "[DONE]";
const PLAIN_OPENING = '"choices":[{"index":0,"delta":{"content":"';
const PLAIN_CLOSING =
  /^\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?(?:,"obfuscation":"[A-Za-z0-9]*")?\}$/;

/** Whether the text before a chunk's choices is valid JSON so far and contains no error. */
function isHead(head: string): boolean {
  const object = asObject(parseJson(`${head}"choices":[]}`));
  return object !== undefined && object["error"] === undefined;
}

/** Reads parsed chunks: for formats that wrap OpenAI's chunks. */
export type ChunkReader = {
  readonly readChunk: (chunk: Json) => StreamPart[];
  /** Emits the finish, once. */
  readonly finish: () => StreamPart[];
  /** A finish reason was seen; `hasUsageChunk`: a separate usage chunk after it was seen too. */
  readonly hasFinishReason: () => boolean;
  readonly hasUsageChunk: () => boolean;
  readonly usageSoFar: () => ReportedUsage;
};

/**
 * Reads `chat.completion.chunk` objects. The finish is delayed until the usage, which arrives in a separate chunk after
 * the finish reason, or until `[DONE]`. The last usage counts: some providers send it with every chunk.
 */
export function createChunkReader(quirks: OpenAiQuirks = {}): ChunkReader {
  const readUsage = quirks.readUsage ?? readOpenAiUsage;
  const calls = createToolCallReader();
  let isStarted = false;
  let isFinished = false;
  let hasUsageChunk = false;
  let finishWord: string | undefined;
  let usage: ReportedUsage;
  let tier: string | undefined;
  let citations: Citation[] = [];

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const ended = toFinishPart(readFinish(finishWord ?? "", calls.hasCalls()), finishWord ?? NO_REASON);
    return [{ type: "finish", ...ended, ...(citations.length > 0 ? { citations } : {}), usage }];
  }

  function readDelta(delta: Json): StreamPart[] {
    const parts: StreamPart[] = [];
    const reasoning = readReasoning(delta);
    if (reasoning !== "") parts.push({ type: "reasoning-delta", text: reasoning });
    const text = readText(delta["content"]) || asText(delta["refusal"]);
    if (text) parts.push({ type: "text-delta", text });
    for (const call of asList(delta["tool_calls"])) parts.push(...calls.read(asObject(call) ?? {}));
    if (delta["function_call"]) parts.push(...calls.read({ index: 0, function: delta["function_call"] }));
    return parts;
  }

  function readChunkUsage(chunk: Json, choice: Json | undefined): void {
    tier = readTierName(chunk["service_tier"]) ?? tier;
    usage = withTier(readUsage(chunk["usage"] ?? choice?.["usage"]) ?? usage, tier);
  }

  function readChunk(chunk: Json): StreamPart[] {
    const parts: StreamPart[] = [];
    if (!isStarted) {
      isStarted = true;
      parts.push({ type: "start", id: asText(chunk["id"]) ?? "", model: asText(chunk["model"]) ?? "" });
    }
    const choices = asList(chunk["choices"]);
    const choice = asObject(choices.find((candidate) => (asObject(candidate)?.["index"] ?? 0) === 0));
    const delta = asObject(choice?.["delta"]);
    if (delta) parts.push(...readDelta(delta));
    if (delta?.["annotations"]) citations = [...citations, ...readCitations(delta["annotations"])];
    finishWord = asText(choice?.["finish_reason"]) || finishWord;
    readChunkUsage(chunk, choice);
    if (choices.length === 0 && usage !== undefined && finishWord !== undefined) {
      hasUsageChunk = true;
      parts.push(...finish());
    }
    return parts;
  }

  return {
    readChunk,
    finish,
    hasFinishReason: () => finishWord !== undefined,
    hasUsageChunk: () => hasUsageChunk,
    usageSoFar: () => usage,
  };
}

/** Parses `chat.completion.chunk` events up to `[DONE]`. */
export function newOpenAiStreamReader(quirks: OpenAiQuirks = {}): StreamReader {
  const chunks = createChunkReader(quirks);
  const skimText = createTextSkimmer({ opening: PLAIN_OPENING, closing: PLAIN_CLOSING, isHead });
  let isStarted = false;
  let isComplete = false;
  return {
    read({ event, data }: StreamEvent): StreamPart[] {
      if (data !== DONE) {
        isStarted = true;
        const chunk = parseEventData(data);
        if (chunk["error"] || event === "error") throw errorInside(chunk);
        const failure = quirks.failureInside?.(chunk) ?? bareFailure(chunk);
        if (failure) throw failure;
        return chunks.readChunk(chunk);
      }
      // An end without a start is not a response, and failover may provide one.
      if (!isStarted) throw unreadableResponse();
      isComplete = true;
      return chunks.finish();
    },
    end(): StreamPart[] {
      // After a finish and the usage only [DONE] can follow, and some providers omit it.
      isComplete ||=
        (quirks.alwaysSaysDone !== true && chunks.hasUsageChunk()) ||
        (quirks.endsAtFinish === true && chunks.hasFinishReason());
      return chunks.finish();
    },
    isComplete: () => isComplete,
    usageSoFar: chunks.usageSoFar,
    skim: ({ event, data }) => (isStarted && event === undefined ? skimText(data) : undefined),
  };
}
