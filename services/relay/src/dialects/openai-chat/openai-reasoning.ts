import type { ContentPart, Json } from "../../core/chat/chat.ts";
import { isSignedReasoning, type ReasoningPart } from "../../core/chat/reasoning.ts";
import { asObjects, asText, compact } from "../../core/chat/json.ts";

/** Only Claude signs reasoning. */
const FORMAT = "anthropic-claude-v1";

/**
 * Reasoning that its provider requires back unchanged, in OpenRouter's field for it, which OpenAI clients store with
 * the message (openrouter.ai/docs/use-cases/reasoning-tokens: preserving reasoning blocks).
 */
const detailOf = (thought: ReasoningPart, index: number): Json =>
  thought.type === "reasoning"
    ? { type: "reasoning.text", text: thought.text, signature: thought.signature, format: FORMAT, index }
    : { type: "reasoning.encrypted", data: thought.data, format: FORMAT, index };

/** The field of a non-streaming response; absent if nothing is signed. */
export function writeReasoningField(parts: readonly ContentPart[]): { readonly reasoning_details?: readonly Json[] } {
  const thoughts = parts.filter(isSignedReasoning);
  return thoughts.length === 0 ? {} : { reasoning_details: thoughts.map(detailOf) };
}

/** The deltas of a stream: each reasoning part is sent once and complete, when its signature arrives. */
export function createReasoningDeltas() {
  let text = "";
  let index = 0;
  const field = (thought: ReasoningPart): object => ({ reasoning_details: [detailOf(thought, index++)] });
  return {
    note: (piece: string): void => void (text += piece),
    signed(signature: string): object {
      const thought = { type: "reasoning" as const, text, signature };
      text = "";
      return field(thought);
    },
    redacted: (data: string): object => field({ type: "redacted-reasoning", data }),
  };
}

function thoughtOf(detail: Json): ReasoningPart | undefined {
  const data = asText(detail["data"]);
  if (detail["type"] === "reasoning.encrypted" && data) return { type: "redacted-reasoning", data };
  const text = asText(detail["text"]) ?? asText(detail["summary"]);
  const signature = asText(detail["signature"]) || undefined;
  return text === undefined && signature === undefined
    ? undefined
    : compact({ type: "reasoning" as const, text: text ?? "", signature });
}

/** Streamed pieces are one reasoning part up to its signature. */
function join(thoughts: readonly ReasoningPart[]): ReasoningPart[] {
  const joined: ReasoningPart[] = [];
  for (const thought of thoughts) {
    const last = joined.at(-1);
    if (thought.type === "reasoning" && last?.type === "reasoning" && last.signature === undefined)
      joined[joined.length - 1] = { ...thought, text: last.text + thought.text };
    else joined.push(thought);
  }
  return joined;
}

/** The reasoning of a returned message: with the provider's signatures if the caller kept them, else only its text. */
export function parseReasoning(message: Json): ReasoningPart[] {
  const thoughts = join(asObjects(message["reasoning_details"]).flatMap((detail) => thoughtOf(detail) ?? []));
  if (thoughts.length > 0) return thoughts;
  const text = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  return text ? [{ type: "reasoning", text }] : [];
}
