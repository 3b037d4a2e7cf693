import type { ContentPart, Json } from "../../core/chat/chat.ts";
import { CLAUDE_FORMAT, decodeDetails, encodeDetail } from "../../core/vendors/router-details.ts";
import { isSignedReasoning, type ReasoningPart } from "../../core/chat/reasoning.ts";
import { asObjects, asText, compact } from "../../core/chat/json.ts";

/**
 * Reasoning that its provider requires back unchanged, in OpenRouter's field for it, which OpenAI clients store with
 * the message (openrouter.ai/docs/use-cases/reasoning-tokens: preserving reasoning blocks).
 */
const getDetail = (reasoning: ReasoningPart, index: number): Json =>
  reasoning.type === "reasoning"
    ? { type: "reasoning.text", text: reasoning.text, signature: reasoning.signature, format: CLAUDE_FORMAT, index }
    : (decodeDetails(reasoning.data)[0] ?? {
        type: "reasoning.encrypted",
        data: reasoning.data,
        format: CLAUDE_FORMAT,
        index,
      });

/** The field of a non-streaming response; absent if nothing is signed. */
export function writeReasoningField(parts: readonly ContentPart[]): { readonly reasoning_details?: readonly Json[] } {
  const reasoning = parts.filter(isSignedReasoning);
  return reasoning.length === 0 ? {} : { reasoning_details: reasoning.map(getDetail) };
}

/** The deltas of a stream: each reasoning part is sent once and complete, when its signature arrives. */
export function createReasoningDeltas() {
  let text = "";
  let index = 0;
  const field = (reasoning: ReasoningPart): object => ({ reasoning_details: [getDetail(reasoning, index++)] });
  return {
    add: (piece: string): void => void (text += piece),
    signed(signature: string): object {
      const reasoning = { type: "reasoning" as const, text, signature };
      text = "";
      return field(reasoning);
    },
    redacted: (data: string): object => field({ type: "redacted-reasoning", data }),
  };
}

function getReasoning(detail: Json): ReasoningPart | undefined {
  const data = encodeDetail(detail) ?? asText(detail["data"]);
  if (detail["type"] === "reasoning.encrypted" && data) return { type: "redacted-reasoning", data };
  const text = asText(detail["text"]) ?? asText(detail["summary"]);
  const signature = asText(detail["signature"]) || undefined;
  return text === undefined && signature === undefined
    ? undefined
    : compact({ type: "reasoning" as const, text: text ?? "", signature });
}

/** Streamed pieces are one reasoning part up to its signature. */
function join(reasoning: readonly ReasoningPart[]): ReasoningPart[] {
  const joined: ReasoningPart[] = [];
  for (const reasoningItem of reasoning) {
    const last = joined.at(-1);
    if (reasoningItem.type === "reasoning" && last?.type === "reasoning" && last.signature === undefined)
      joined[joined.length - 1] = { ...reasoningItem, text: last.text + reasoningItem.text };
    else joined.push(reasoningItem);
  }
  return joined;
}

/** The reasoning of a returned message: with the provider's signatures if the caller kept them, else only its text. */
export function parseReasoning(message: Json): ReasoningPart[] {
  const reasoning = join(asObjects(message["reasoning_details"]).flatMap((detail) => getReasoning(detail) ?? []));
  if (reasoning.length > 0) return reasoning;
  const text = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  return text ? [{ type: "reasoning", text }] : [];
}
