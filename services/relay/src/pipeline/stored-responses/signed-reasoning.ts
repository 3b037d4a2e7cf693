import type { ContentPart, Json, StreamPart } from "../../core/chat/chat.ts";
import { seal, requestsEncryptedReasoning } from "../../core/chat/encrypted-reasoning.ts";
import type { ReasoningPart } from "../../core/chat/reasoning.ts";
import { isCompactionTurn } from "../../dialects/openai-responses/compaction-turn.ts";

const isReasoning = (part: ContentPart): part is ReasoningPart =>
  part.type === "reasoning" || part.type === "redacted-reasoning";

/** The reasoning of a response as one encrypted text; undefined if its provider signed none. */
export const sealReasoning = (parts: readonly ContentPart[]): string | undefined => seal(parts.filter(isReasoning));

/** The reasoning that a response does not hold, since its caller did not request it; a compaction has none. */
export const getOmitted = (requested: Json | undefined, sealAll: () => string | undefined): string | undefined =>
  requestsEncryptedReasoning(requested) || isCompactionTurn(requested) ? undefined : sealAll();

/** Encrypted reasoning as the item that carries it to the next call. */
export const toReasoningItems = (sealed: string | undefined): Json[] =>
  sealed === undefined ? [] : [{ type: "reasoning", summary: [], encrypted_content: sealed }];

/** Collects the reasoning of a stream that its provider signed. */
export class SignedReasoning {
  readonly #parts: ReasoningPart[] = [];
  #text = "";

  take(part: StreamPart): void {
    if (part.type === "reasoning-delta") this.#text += part.text;
    if (part.type === "redacted-reasoning") this.#parts.push({ type: "redacted-reasoning", data: part.data });
    if (part.type !== "reasoning-signature") return;
    this.#parts.push({ type: "reasoning", text: this.#text, signature: part.signature });
    this.#text = "";
  }

  /** As one encrypted text; undefined if none is signed. */
  seal(): string | undefined {
    return seal(this.#parts);
  }
}
