import type { Json, StreamPart } from "../../chat/chat.ts";
import type { RelayError } from "../../errors/relay-error.ts";
import type { AnswerContext, StreamWriter } from "../dialect.ts";
import { dataEvent } from "../sse.ts";
import { writeGeminiError } from "./gemini-error.ts";
import { answerBody, callWriter, mediaPart } from "./gemini-response.ts";

type Call = { readonly id: string; readonly name: string; readonly signature?: string; argumentsText: string };

/** Google's stream: each event a GenerateContentResponse. A function call goes out whole, once its last argument is there. */
export function newGeminiStreamWriter(context: AnswerContext): StreamWriter {
  let call: Call | undefined;
  const writeCall = callWriter(context);
  const piece = (parts: readonly Json[]): string => dataEvent(answerBody(parts, undefined, context));
  const endCall = (): Json[] => {
    if (!call) return [];
    const ended = call;
    call = undefined;
    return [writeCall(ended)];
  };
  const flushCall = (): string => (call ? piece(endCall()) : "");
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "text-delta":
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
          return dataEvent(answerBody(endCall(), part, context));
        case "start":
        case "reasoning-signature":
        case "redacted-reasoning":
          return ""; // Google's format has no place for them.
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeGeminiError(error, requestId)),
  };
}
