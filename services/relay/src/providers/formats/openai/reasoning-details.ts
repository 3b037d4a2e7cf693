import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { asObjects, asText, compact } from "../../../core/chat/json.ts";
import { isSignedReasoning, type ReasoningPart } from "../../../core/chat/reasoning.ts";

const CLAUDE_FORMAT = "anthropic-claude-v1";

/**
 * The reasoning in OpenRouter's `reasoning_details` that Claude signed or encrypted, which it requires back; Claude's
 * format is the default. What other models encrypt has no place in other formats than OpenRouter's.
 */
function readDetails(message: Json): ReasoningPart[] {
  const details = message["reasoning_details"];
  if (details === undefined || details === null) return [];
  return asObjects(details)
    .filter(({ format }) => (format ?? CLAUDE_FORMAT) === CLAUDE_FORMAT)
    .map((detail): ReasoningPart => {
      if (detail["type"] === "reasoning.encrypted")
        return { type: "redacted-reasoning", data: asText(detail["data"]) ?? "" };
      const signature = asText(detail["signature"]) || undefined;
      return compact({ type: "reasoning" as const, text: asText(detail["text"]) ?? "", signature });
    });
}

/** The reasoning of a message, with its signatures; empty if Claude signed none of it. */
export function readSignedReasoning(message: Json): ReasoningPart[] {
  const details = readDetails(message);
  return details.some(isSignedReasoning) ? details : [];
}

/** The signatures and the encrypted reasoning of a delta; the text is in `reasoning` as well. */
export const readSignatures = (delta: Json): StreamPart[] =>
  readDetails(delta).flatMap((part): StreamPart[] => {
    if (part.type === "redacted-reasoning") return [part];
    return part.signature === undefined ? [] : [{ type: "reasoning-signature", signature: part.signature }];
  });
