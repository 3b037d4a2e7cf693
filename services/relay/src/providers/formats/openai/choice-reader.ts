import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { NO_REASON, toFinishPart } from "../../../core/chat/finish-reasons.ts";
import { asList, asObject, asText } from "../../../core/chat/json.ts";
import { createToolCallReader } from "./openai-tool-calls.ts";
import { readFinish, readReasoning, readText } from "./openai-usage.ts";

/** Reads the deltas of one choice and how it ended. */
export class ChoiceReader {
  readonly #calls = createToolCallReader();
  #hasRefusal = false;
  #word: string | undefined;

  /** Reads the next delta of a choice. */
  read(choice: Json): StreamPart[] {
    this.#word = asText(choice["finish_reason"]) || this.#word;
    const delta = asObject(choice["delta"]);
    return delta ? this.#readDelta(delta) : [];
  }

  hasEnded(): boolean {
    return this.#word !== undefined;
  }

  /** The fields of the finish. */
  getEnd() {
    const reason = readFinish(this.#word ?? "", this.#calls.hasCalls());
    return toFinishPart(reason === "stop" && this.#hasRefusal ? "refusal" : reason, this.#word ?? NO_REASON);
  }

  #readDelta(delta: Json): StreamPart[] {
    const parts: StreamPart[] = [];
    const reasoning = readReasoning(delta);
    if (reasoning !== "") parts.push({ type: "reasoning-delta", text: reasoning });
    const text = readText(delta["content"]);
    if (text) parts.push({ type: "text-delta", text });
    const refusal = asText(delta["refusal"]);
    if (refusal) {
      this.#hasRefusal = true;
      parts.push({ type: "text-delta", text: refusal, isRefusal: true });
    }
    for (const call of asList(delta["tool_calls"])) parts.push(...this.#calls.read(asObject(call) ?? {}));
    if (delta["function_call"]) parts.push(...this.#calls.read({ index: 0, function: delta["function_call"] }));
    return parts;
  }
}
