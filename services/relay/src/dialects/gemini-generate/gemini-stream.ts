import type { Json, StreamPart } from "../../chat/chat.ts";
import { createKeptText } from "../../chat/kept-text.ts";
import type { Thought } from "../../chat/reasoning.ts";
import { seal } from "../../chat/sealed-thoughts.ts";
import type { RelayError } from "../../errors/relay-error.ts";
import type { AnswerContext, StreamWriter } from "../dialect.ts";
import { dataEvent } from "../sse.ts";
import { writeGeminiError } from "./gemini-error.ts";
import { answerBody, callWriter, mediaPart } from "./gemini-response.ts";
import { groundingOf, searchAmong } from "./gemini-web-search.ts";

type Call = { readonly id: string; readonly name: string; readonly signature?: string; argumentsText: string };

type Finish = Extract<StreamPart, { type: "finish" }>;

/** Google's stream: each event a GenerateContentResponse. A function call goes out whole, once its last argument is there. */
export function newGeminiStreamWriter(context: AnswerContext): StreamWriter {
  let call: Call | undefined;
  let thought = "";
  let thoughts: Thought[] = [];
  const kept = searchAmong(context.asked?.["tools"]) ? createKeptText() : undefined;
  const writeCall = callWriter(context);
  const piece = (parts: readonly Json[]): string => dataEvent(answerBody(parts, undefined, context));
  const endCall = (): Json[] => {
    if (!call) return [];
    const ended = call;
    call = undefined;
    return [writeCall(ended)];
  };
  const flushCall = (): string => (call ? piece(endCall()) : "");
  const end = ({ reason, usage, citations }: Finish): string => {
    const grounding = groundingOf(citations, kept?.text() ?? "");
    return dataEvent(answerBody(endCall(), { reason, usage, grounding }, context));
  };
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "text-delta":
          kept?.add(part.text);
          return part.text === "" ? "" : flushCall() + piece([{ text: part.text }]);
        case "media":
          return flushCall() + piece([mediaPart(part)]);
        case "reasoning-delta":
          thought += part.text;
          return part.text === "" ? "" : flushCall() + piece([{ text: part.text, thought: true }]);
        // The next call carries what was signed: Google's format has no other place that its clients keep.
        case "reasoning-signature":
          thoughts.push({ type: "reasoning", text: thought, signature: part.signature });
          thought = "";
          return "";
        case "redacted-reasoning":
          thoughts.push(part);
          return "";
        case "tool-call-start": {
          const before = flushCall();
          const { id, name } = part;
          const signature = part.signature ?? seal(thoughts);
          thoughts = [];
          call = { id, name, argumentsText: "", ...(signature === undefined ? {} : { signature }) };
          return before;
        }
        case "tool-call-delta":
          if (call) call.argumentsText += part.argumentsText;
          return "";
        case "finish":
          return end(part);
        case "start":
          return "";
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeGeminiError(error, requestId)),
  };
}
