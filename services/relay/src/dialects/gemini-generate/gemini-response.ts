import type { ChatResponse, ContentPart, FinishReason, Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asObjects, asText, compact } from "../../core/chat/json.ts";
import { getText } from "../../core/chat/messages.ts";
import { isSignedReasoning, type ReasoningPart } from "../../core/chat/reasoning.ts";
import { seal } from "../../core/chat/encrypted-reasoning.ts";
import { toolArguments } from "../../core/chat/tool-calls.ts";
import { ownNames } from "../shared/tool-names.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { either } from "./gemini-content.ts";
import { getGrounding } from "./gemini-web-search.ts";
import { GEMINI_FINISH, geminiUsage } from "./gemini-wire.ts";

type Call = {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  readonly signature?: string;
};

/** Writes a function call as a part; Google callers require its complete arguments as an object. */
export function callWriter({ requested }: ResponseContext): (call: Call) => Json {
  const declared = asObjects(requested?.["tools"]).flatMap((tool) =>
    asObjects(either(tool, "functionDeclarations", "function_declarations")),
  );
  const ownName = ownNames(declared.flatMap(({ name }) => asText(name) ?? []));
  return ({ id, name, argumentsText, signature }) =>
    compact({
      functionCall: { id, name: ownName(name), args: toolArguments(argumentsText) },
      thoughtSignature: signature,
    });
}

/** Writes generated media. */
export const mediaPart = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): Json => ({
  inlineData: { mimeType: mediaType, data },
});

function writePart(part: ContentPart, writeCall: (call: Call) => Json): Json[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ text: part.text, thought: true }];
    case "tool-call":
      return [writeCall(part)];
    case "image":
      return part.source.kind === "base64" ? [mediaPart(part.source)] : [];
    default:
      return []; // Models return no other part types that Google's format can represent.
  }
}

/** The finish reason, with the cited pages. */
type End = { readonly reason: FinishReason; readonly usage: ReportedUsage; readonly grounding: Json };

/** A GenerateContentResponse with the given parts; without a finish reason it is a chunk of a stream. */
export function responseBody(
  parts: readonly Json[],
  end: End | undefined,
  { model, requestId }: ResponseContext,
): Json {
  return {
    candidates: [
      {
        content: { role: "model", parts },
        ...(end ? { finishReason: GEMINI_FINISH[end.reason], ...end.grounding } : {}),
        index: 0,
      },
    ],
    ...(end ? { usageMetadata: geminiUsage(end.usage) } : {}),
    modelVersion: model,
    responseId: requestId,
  };
}

/**
 * Writes calls with the signed reasoning before them in the field of Google's own signature, which clients send back.
 */
function withSeals(parts: readonly ContentPart[]): ContentPart[] {
  let reasoning: ReasoningPart[] = [];
  return parts.map((part): ContentPart => {
    if (isSignedReasoning(part)) reasoning.push(part);
    if (part.type !== "tool-call") return part;
    const signature = part.signature ?? seal(reasoning);
    reasoning = [];
    return compact({ ...part, signature });
  });
}

/** Writes a non-streaming response. */
export function writeGeminiResponse(response: ChatResponse, context: ResponseContext): unknown {
  const writeCall = callWriter(context);
  const parts = withSeals(response.parts).flatMap((part) => writePart(part, writeCall));
  const grounding = getGrounding(response.citations, getText(response.parts));
  return responseBody(parts, { reason: response.finishReason, usage: response.usage, grounding }, context);
}
