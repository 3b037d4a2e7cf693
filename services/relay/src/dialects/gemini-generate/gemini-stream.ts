import type { Json, StreamPart } from "../../chat/chat.ts";
import { createKeptText } from "../../chat/kept-text.ts";
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
          return part.text === "" ? "" : flushCall() + piece([{ text: part.text, thought: true }]);
        case "tool-call-start": {
          const before = flushCall();
          const { id, name, signature } = part;
          call = { id, name, argumentsText: "", ...(signature === undefined ? {} : { signature }) };
          return before;
        }
        case "tool-call-delta":
          if (call) call.argumentsText += part.argumentsText;
          return "";
        case "finish":
          return end(part);
        case "start":
        case "reasoning-signature":
        case "redacted-reasoning":
          return ""; // Google's format has no place for them.
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeGeminiError(error, requestId)),
  };
}
