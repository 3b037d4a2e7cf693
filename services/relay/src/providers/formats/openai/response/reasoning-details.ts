import type { Json, StreamPart } from "../../../../core/chat/chat.ts";
import { asObjects, asText, compact } from "../../../../core/chat/json.ts";
import type { ReasoningPart } from "../../../../core/chat/reasoning.ts";
import { encodeDetail, isClaudeDetail } from "../../../../core/vendors/router-details.ts";

/**
 * The reasoning in OpenRouter's `reasoning_details`: what Claude signed or encrypted, and what other models encrypted, as an
 * opaque text. They require it back.
 */
function readDetails(message: Json): ReasoningPart[] {
  const details = message["reasoning_details"];
  if (details === undefined || details === null) return [];
  return asObjects(details)
    .filter((detail) => isClaudeDetail(detail) || encodeDetail(detail) !== undefined)
    .map((detail): ReasoningPart => {
      if (detail["type"] === "reasoning.encrypted")
        return { type: "redacted-reasoning", data: encodeDetail(detail) ?? asText(detail["data"]) ?? "" };
      const signature = asText(detail["signature"]) || undefined;
      return compact({ type: "reasoning" as const, text: asText(detail["text"]) ?? "", signature });
    });
}

/** The reasoning of a message, with its signatures; `text` is its text as the message has it in one piece. */
export function readReasoningParts(message: Json, text: string): ReasoningPart[] {
  const details = readDetails(message);
  const isWritten = details.some((part) => part.type === "reasoning" && part.signature !== undefined);
  if (isWritten) return details;
  const encrypted = details.filter((part) => part.type === "redacted-reasoning");
  return [...(text === "" ? [] : [{ type: "reasoning" as const, text }]), ...encrypted];
}

/** The signatures and the encrypted reasoning of a delta; the text is in `reasoning` as well. */
export const readSignatures = (delta: Json): StreamPart[] =>
  readDetails(delta).flatMap((part): StreamPart[] => {
    if (part.type === "redacted-reasoning") return [part];
    return part.signature === undefined ? [] : [{ type: "reasoning-signature", signature: part.signature }];
  });
