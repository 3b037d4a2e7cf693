import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { createBoundedText } from "../../core/chat/bounded-text.ts";
import type { ReasoningPart } from "../../core/chat/reasoning.ts";
import { seal } from "../../core/chat/encrypted-reasoning.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { dataEvent } from "../shared/sse.ts";
import { writeGeminiError } from "./gemini-error.ts";
import { answerBody, callWriter, mediaPart } from "./gemini-response.ts";
import { groundingOf, searchAmong } from "./gemini-web-search.ts";

type Call = { readonly id: string; readonly name: string; readonly signature?: string; argumentsText: string };

type Finish = Extract<StreamPart, { type: "finish" }>;

const isWhole = ({ argumentsText }: Call): boolean => asObject(parseJson(argumentsText)) !== undefined;

/**
 * Google's stream: each event is a GenerateContentResponse. Function calls are sent complete and in order, once their
 * last argument arrived; upstream may interleave the arguments of several calls.
 */
export function newGeminiStreamWriter(context: ResponseContext): StreamWriter {
  const calls = new Map<number, Call>();
  let thought = "";
  let thoughts: ReasoningPart[] = [];
  const kept = searchAmong(context.asked?.["tools"]) ? createBoundedText() : undefined;
  const writeCall = callWriter(context);
  const piece = (parts: readonly Json[]): string => dataEvent(answerBody(parts, undefined, context));
  const takeCalls = (isReady: (call: Call) => boolean): Json[] => {
    const taken: Json[] = [];
    for (const [index, call] of calls) {
      if (!isReady(call)) break;
      calls.delete(index);
      taken.push(writeCall(call));
    }
    return taken;
  };
  const flushCalls = (): string => {
    const ready = takeCalls(isWhole);
    return ready.length === 0 ? "" : piece(ready);
  };
  const end = ({ reason, usage, citations }: Finish): string => {
    const grounding = groundingOf(citations, kept?.text() ?? "");
    return dataEvent(
      answerBody(
        takeCalls(() => true),
        { reason, usage, grounding },
        context,
      ),
    );
  };
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "text-delta":
          kept?.add(part.text);
          return part.text === "" ? "" : flushCalls() + piece([{ text: part.text }]);
        case "media":
          return flushCalls() + piece([mediaPart(part)]);
        case "reasoning-delta":
          thought += part.text;
          return part.text === "" ? "" : flushCalls() + piece([{ text: part.text, thought: true }]);
        // The next call carries the signed reasoning: Google's format has no other field that its clients send back.
        case "reasoning-signature":
          thoughts.push({ type: "reasoning", text: thought, signature: part.signature });
          thought = "";
          return "";
        case "redacted-reasoning":
          thoughts.push(part);
          return "";
        case "tool-call-start": {
          const before = flushCalls();
          const { id, index, name } = part;
          const signature = part.signature ?? seal(thoughts);
          thoughts = [];
          calls.set(index, { id, name, argumentsText: "", ...(signature === undefined ? {} : { signature }) });
          return before;
        }
        case "tool-call-delta": {
          const call = calls.get(part.index);
          if (call) call.argumentsText += part.argumentsText;
          return "";
        }
        case "finish":
          return end(part);
        case "start":
          return "";
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeGeminiError(error, requestId)),
  };
}
