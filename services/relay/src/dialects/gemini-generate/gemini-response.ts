import type { ChatResponse, ContentPart, FinishReason, Json, ReportedUsage } from "../../chat/chat.ts";
import { compact } from "../../chat/json.ts";
import { toolArguments } from "../../chat/tool-calls.ts";
import type { AnswerContext } from "../dialect.ts";
import { GEMINI_FINISH, geminiUsage } from "./gemini-wire.ts";

/** A function call as a part; Google's callers want its arguments as an object, whole. */
export const callPart = (call: {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  readonly signature?: string;
}): Json =>
  compact({
    functionCall: { id: call.id, name: call.name, args: toolArguments(call.argumentsText) },
    thoughtSignature: call.signature,
  });

/** What a model made beside text. */
export const mediaPart = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): Json => ({
  inlineData: { mimeType: mediaType, data },
});

function writePart(part: ContentPart): Json[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ text: part.text, thought: true }];
    case "tool-call":
      return [callPart(part)];
    case "image":
      return part.source.kind === "base64" ? [mediaPart(part.source)] : [];
    default:
      return []; // Models answer with nothing else that Google's format has a place for.
  }
}

/** A GenerateContentResponse with the given parts; without a finish reason it is a piece of a stream. */
export function answerBody(
  parts: readonly Json[],
  end: { readonly reason: FinishReason; readonly usage: ReportedUsage } | undefined,
  { model, requestId }: AnswerContext,
): Json {
  return {
    candidates: [
      { content: { role: "model", parts }, ...(end ? { finishReason: GEMINI_FINISH[end.reason] } : {}), index: 0 },
    ],
    ...(end ? { usageMetadata: geminiUsage(end.usage) } : {}),
    modelVersion: model,
    responseId: requestId,
  };
}

/** A whole answer. */
export const writeGeminiResponse = (response: ChatResponse, context: AnswerContext): unknown =>
  answerBody(response.parts.flatMap(writePart), { reason: response.finishReason, usage: response.usage }, context);
