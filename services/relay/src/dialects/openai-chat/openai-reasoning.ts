import type { ContentPart, Json } from "../../core/chat/chat.ts";
import { isSignedThought, type Thought } from "../../core/chat/reasoning.ts";
import { asObjects, asText, compact } from "../../core/chat/json.ts";

/** Signed thoughts are Claude's alone. */
const FORMAT = "anthropic-claude-v1";

/**
 * Thinking that its provider wants back as it was, in OpenRouter's field for it, which OpenAI's clients keep with the message
 * (openrouter.ai/docs/use-cases/reasoning-tokens: preserving reasoning blocks).
 */
const detailOf = (thought: Thought, index: number): Json =>
  thought.type === "reasoning"
    ? { type: "reasoning.text", text: thought.text, signature: thought.signature, format: FORMAT, index }
    : { type: "reasoning.encrypted", data: thought.data, format: FORMAT, index };

/** The field of a whole answer; none where nothing is signed. */
export function thoughtsField(parts: readonly ContentPart[]): { readonly reasoning_details?: readonly Json[] } {
  const thoughts = parts.filter(isSignedThought);
  return thoughts.length === 0 ? {} : { reasoning_details: thoughts.map(detailOf) };
}

/** The deltas of a stream: each thought once and whole, when its signature is there. */
export function createThoughtDeltas() {
  let text = "";
  let index = 0;
  const field = (thought: Thought): object => ({ reasoning_details: [detailOf(thought, index++)] });
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

function thoughtOf(detail: Json): Thought | undefined {
  const data = asText(detail["data"]);
  if (detail["type"] === "reasoning.encrypted" && data) return { type: "redacted-reasoning", data };
  const text = asText(detail["text"]) ?? asText(detail["summary"]);
  const signature = asText(detail["signature"]) || undefined;
  return text === undefined && signature === undefined
    ? undefined
    : compact({ type: "reasoning" as const, text: text ?? "", signature });
}

/** Pieces as a stream brought them are one thought up to its signature. */
function join(thoughts: readonly Thought[]): Thought[] {
  const joined: Thought[] = [];
  for (const thought of thoughts) {
    const last = joined.at(-1);
    if (thought.type === "reasoning" && last?.type === "reasoning" && last.signature === undefined)
      joined[joined.length - 1] = { ...thought, text: last.text + thought.text };
    else joined.push(thought);
  }
  return joined;
}

/** The thinking of a message that comes back: with what its provider signed, where the caller kept that, else its text alone. */
export function thoughtsOf(message: Json): Thought[] {
  const thoughts = join(asObjects(message["reasoning_details"]).flatMap((detail) => thoughtOf(detail) ?? []));
  if (thoughts.length > 0) return thoughts;
  const text = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  return text ? [{ type: "reasoning", text }] : [];
}
