import type { Citation, Json, ReportedUsage, StreamPart } from "../../../../core/chat/chat.ts";
import { asList, asObject, asText, parseJson } from "../../../../core/chat/json.ts";
import { bareFailure, errorInside, parseEventData, unreadableResponse } from "../../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../../core/wire/stream.ts";
import { readTierName, withTier } from "../../../shared/service-tier.ts";
import { readCitations } from "./openai-citations.ts";
import { createTextSkimmer } from "../../../shared/text-skimmer.ts";
import { ChoiceReader } from "./choice-reader.ts";
import { getOtherChoicesText, type OpenAiQuirks, readOpenAiUsage } from "./openai-usage.ts";

const DONE = "[DONE]";
const PLAIN_OPENING = '"choices":[{"index":0,"delta":{"content":"';
const PLAIN_CLOSING =
  /^\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?(?:,"obfuscation":"[A-Za-z0-9]*")?\}$/;

/** Whether the text before a chunk's choices is valid JSON so far and contains no error. */
function isHead(head: string): boolean {
  const object = asObject(parseJson(`${head}"choices":[]}`));
  return object !== undefined && object["error"] === undefined;
}

/** What choices besides the first generated. */
function readOtherChoices(choices: readonly unknown[], hasFirst: boolean): readonly StreamPart[] {
  const text = choices.length > 1 || !hasFirst ? getOtherChoicesText(choices) : "";
  return text === "" ? [] : [{ type: "other-output", text }];
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
  const reader = new ChoiceReader();
  let start: "due" | "delayed" | "done" = "due";
  let isFinished = false;
  let hasUsageChunk = false;
  let usage: ReportedUsage;
  let tier: string | undefined;
  let citations: Citation[] = [];

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const delayed: StreamPart[] = start === "delayed" ? [{ type: "start", id: "", model: "" }] : [];
    return [...delayed, { type: "finish", ...reader.getEnd(), ...(citations.length > 0 ? { citations } : {}), usage }];
  }

  /** Azure first sends the results of its filters, in a chunk without id, model and choices: the start is in the next one. */
  function readStart(chunk: Json, hasChoices: boolean): StreamPart[] {
    if (start === "done") return [];
    const id = asText(chunk["id"]) ?? "";
    start = id === "" && !hasChoices ? "delayed" : "done";
    return start === "delayed" ? [] : [{ type: "start", id, model: asText(chunk["model"]) ?? "" }];
  }

  function readChunkUsage(chunk: Json, choice: Json | undefined): void {
    tier = readTierName(chunk["service_tier"]) ?? tier;
    usage = withTier(readUsage(chunk["usage"] ?? choice?.["usage"]) ?? usage, tier);
  }

  function readChunk(chunk: Json): StreamPart[] {
    const choices = asList(chunk["choices"]);
    const parts = readStart(chunk, choices.length > 0);
    const choice = asObject(choices.find((candidate) => (asObject(candidate)?.["index"] ?? 0) === 0));
    if (choice) parts.push(...reader.read(choice));
    parts.push(...readOtherChoices(choices, choice !== undefined));
    const annotations = asObject(choice?.["delta"])?.["annotations"];
    if (annotations) citations = [...citations, ...readCitations(annotations)];
    readChunkUsage(chunk, choice);
    if (choices.length === 0 && usage !== undefined && reader.hasEnded()) {
      hasUsageChunk = true;
      parts.push(...finish());
    }
    return parts;
  }

  return {
    readChunk,
    finish,
    hasFinishReason: () => reader.hasEnded(),
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
        (quirks.alwaysSendsDone !== true && chunks.hasUsageChunk()) ||
        (quirks.endsAtFinish === true && chunks.hasFinishReason());
      return chunks.finish();
    },
    isComplete: () => isComplete,
    usageSoFar: chunks.usageSoFar,
    skim: ({ event, data }) => (isStarted && event === undefined ? skimText(data) : undefined),
  };
}
