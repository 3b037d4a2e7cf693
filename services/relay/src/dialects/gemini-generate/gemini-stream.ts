import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { createBoundedText } from "../../core/chat/bounded-text.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { dataEvent } from "../shared/sse.ts";
import { writeGeminiError } from "./gemini-error.ts";
import { responseBody, mediaPart } from "./gemini-response.ts";
import { getGrounding } from "./gemini-web-search.ts";
import { PendingCalls } from "./pending-calls.ts";

type Finish = Extract<StreamPart, { type: "finish" }>;

/**
 * Google's stream: each event is a GenerateContentResponse. Function calls are sent complete and in order, once their
 * last argument arrived; upstream may interleave the arguments of several calls.
 */
export function newGeminiStreamWriter(context: ResponseContext): StreamWriter {
  const calls = new PendingCalls(context);
  // Some models search although the request has no search tool.
  const kept = createBoundedText();
  const piece = (parts: readonly Json[]): string => dataEvent(responseBody(parts, undefined, context));
  const flushCalls = (): string => {
    const ready = calls.take(false);
    return ready.length === 0 ? "" : piece(ready);
  };
  const end = ({ reason, usage, citations }: Finish): string => {
    const grounding = getGrounding(citations, kept.text());
    return dataEvent(responseBody(calls.take(true), { reason, usage, grounding }, context));
  };
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "text-delta":
          kept.add(part.text);
          return part.text === "" ? "" : flushCalls() + piece([{ text: part.text }]);
        case "media":
          return flushCalls() + piece([mediaPart(part)]);
        case "reasoning-delta":
          calls.addReasoning(part.text);
          return part.text === "" ? "" : flushCalls() + piece([{ text: part.text, thought: true }]);
        case "reasoning-signature":
          calls.sign(part.signature);
          return "";
        case "redacted-reasoning":
          calls.addRedacted(part);
          return "";
        case "tool-call-start": {
          const before = flushCalls();
          calls.begin(part);
          return before;
        }
        case "tool-call-delta":
          calls.addArguments(part.index, part.argumentsText);
          return "";
        case "finish":
          return end(part);
        case "start":
        case "other-output":
          return "";
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeGeminiError(error, requestId)),
  };
}
