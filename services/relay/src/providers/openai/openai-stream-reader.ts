import type { Citation, FinishReason, Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asList, asObject, asText, parseJson } from "../../core/chat/json.ts";
import { bareFailure, errorInside, parseEventData, unreadableResponse } from "../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../core/wire/stream.ts";
import { readCitations } from "./openai-citations.ts";
import { createToolCallReader } from "./openai-tool-calls.ts";
import { type OpenAiQuirks, readFinish, readOpenAiUsage, readReasoning, readText } from "./openai-usage.ts";

const DONE = "[DONE]";
const PLAIN_OPENING = '"choices":[{"index":0,"delta":{"content":"';
const PLAIN_CLOSING =
  /^\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?(?:,"obfuscation":"[A-Za-z0-9]*")?\}$/;

/** Index of the quote that ends a JSON string whose text starts at `from`; -1 when there is none. */
function stringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/** What stands before the choices of a chunk is JSON so far, and tells of no error. */
function isHead(head: string): boolean {
  const object = asObject(parseJson(`${head}"choices":[]}`));
  return object !== undefined && object["error"] === undefined;
}

/**
 * Reads the text of chunks that bring a piece of text and nothing else, in the form nearly all chunks have; undefined for others.
 * What stands before the choices is the same throughout a stream, so it is looked at once.
 */
function createTextSkimmer(): (data: string) => string | undefined {
  let known = "";
  return (data) => {
    const opening = data.indexOf(PLAIN_OPENING);
    if (opening < 0) return undefined;
    if (opening !== known.length || !data.startsWith(known)) {
      const head = data.slice(0, opening);
      if (!isHead(head)) return undefined;
      known = head;
    }
    const from = opening + PLAIN_OPENING.length;
    const end = stringEnd(data, from);
    if (end < 0 || !PLAIN_CLOSING.test(data.slice(end + 1))) return undefined;
    const written = data.slice(from, end);
    return written.includes("\\") ? unescaped(written) : written;
  };
}

/** Undefined for what is no JSON text: reading the chunk whole will say so. */
function unescaped(written: string): string | undefined {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}

/** Reads chunks that were parsed already: for formats that are OpenAI's but for their wrapping. */
export type ChunkReader = {
  readonly readChunk: (chunk: Json) => StreamPart[];
  /** The finish, once. */
  readonly finish: () => StreamPart[];
  /** A finish reason, or behind it the usage in a chunk of its own, was seen. */
  readonly hasFinishReason: () => boolean;
  readonly hasUsageChunk: () => boolean;
  readonly usageSoFar: () => ReportedUsage;
};

/**
 * Reads `chat.completion.chunk` objects. The finish waits for the usage, which comes in a chunk of its own behind the finish reason,
 * or for `[DONE]`. Usage counts by its last word: some providers send it with every chunk.
 */
export function createChunkReader(quirks: OpenAiQuirks = {}): ChunkReader {
  const readUsage = quirks.readUsage ?? readOpenAiUsage;
  const calls = createToolCallReader();
  let isStarted = false;
  let isFinished = false;
  let hasUsageChunk = false;
  let finishWord: string | undefined;
  let usage: ReportedUsage;
  let citations: Citation[] = [];

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const reason: FinishReason = readFinish(finishWord ?? "", calls.hasCalls());
    return [{ type: "finish", reason, ...(citations.length > 0 ? { citations } : {}), usage }];
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
    usage = readUsage(chunk["usage"] ?? choice?.["usage"]) ?? usage;
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

/** Reads `chat.completion.chunk` events up to `[DONE]`. */
export function newOpenAiStreamReader(quirks: OpenAiQuirks = {}): StreamReader {
  const chunks = createChunkReader(quirks);
  const skimText = createTextSkimmer();
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
      // An end without a beginning is no answer, and another channel may have one.
      if (!isStarted) throw unreadableResponse();
      isComplete = true;
      return chunks.finish();
    },
    end(): StreamPart[] {
      // Behind a finish and the usage nothing but [DONE] can follow, and some providers leave that out.
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
