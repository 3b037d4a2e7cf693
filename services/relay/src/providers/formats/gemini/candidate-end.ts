import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { toFinish, toFinishPart } from "../../../core/chat/finish-reasons.ts";
import { asText } from "../../../core/chat/json.ts";
import { toRefusal } from "../../../core/chat/refusals.ts";
import { getFinishDetail, readGeminiFinish } from "./gemini-candidates.ts";

/** How a candidate ended, from its newest chunk that reports it, and Google's words about it. */
export class CandidateEnd {
  #word: string | undefined;
  #message: string | undefined;

  add(candidate: Json | undefined): void {
    this.#word = asText(candidate?.["finishReason"]) || this.#word;
    this.#message = asText(candidate?.["finishMessage"]) ?? this.#message;
  }

  isKnown(): boolean {
    return this.#word !== undefined;
  }

  /** The fields of a response, and the words about what Google's filter stopped. */
  read(hasCalls: boolean) {
    const word = this.#word ?? "";
    const reason = readGeminiFinish(word, hasCalls);
    const explained = reason === "content-filter" ? toRefusal(this.#message) : [];
    return { explained, ...toFinish(reason, getFinishDetail(word, this.#message)) };
  }

  /** The same as parts of a stream. */
  readParts(hasCalls: boolean): { readonly explained: StreamPart[]; readonly ended: ReturnType<typeof toFinishPart> } {
    const { explained, finishReason, ...detail } = this.read(hasCalls);
    return {
      explained: explained.map((part) => ({ ...part, type: "text-delta" })),
      ended: toFinishPart(finishReason, "finishDetail" in detail ? detail.finishDetail : ""),
    };
  }
}
