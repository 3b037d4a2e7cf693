import type { FinishReason, Json, ReportedUsage, StreamPart } from "../../chat/chat.ts";
import { asList, asObject, asText } from "../../chat/json.ts";
import { errorInside, parseEventData } from "../failure.ts";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { createToolCallReader } from "./openai-tool-calls.ts";
import { type OpenAiQuirks, readFinish, readOpenAiUsage, readReasoning, readText } from "./openai-usage.ts";

const DONE = "[DONE]";

/**
 * Reads `chat.completion.chunk` events. The finish waits for the usage, which comes in a chunk of its own behind the finish reason,
 * or for `[DONE]`. Usage counts by its last word: some providers send it with every chunk.
 */
export function newOpenAiStreamReader(quirks: OpenAiQuirks = {}): StreamReader {
  const readUsage = quirks.readUsage ?? readOpenAiUsage;
  const calls = createToolCallReader();
  let isStarted = false;
  let isFinished = false;
  let isComplete = false;
  let hasUsageChunk = false;
  let finishWord: string | undefined;
  let usage: ReportedUsage;

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const reason: FinishReason = readFinish(finishWord ?? "", calls.hasCalls());
    return [{ type: "finish", reason, usage }];
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
    finishWord = asText(choice?.["finish_reason"]) || finishWord;
    usage = readUsage(chunk["usage"] ?? choice?.["usage"]) ?? usage;
    if (choices.length === 0 && usage !== undefined && finishWord !== undefined) {
      hasUsageChunk = true;
      parts.push(...finish());
    }
    return parts;
  }

  return {
    read({ event, data }: StreamEvent): StreamPart[] {
      if (data !== DONE) {
        const chunk = parseEventData(data);
        if (chunk["error"] || event === "error") throw errorInside(chunk);
        const failure = quirks.failureInside?.(chunk);
        if (failure) throw failure;
        return readChunk(chunk);
      }
      isComplete = true;
      return finish();
    },
    end(): StreamPart[] {
      // Behind a finish and the usage nothing but [DONE] can follow, and some providers leave that out.
      isComplete ||= hasUsageChunk || (quirks.endsAtFinish === true && finishWord !== undefined);
      return finish();
    },
    isComplete: () => isComplete,
  };
}
