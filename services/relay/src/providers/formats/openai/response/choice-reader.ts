import type { FinishReason, Json, StreamPart } from "../../../../core/chat/chat.ts";
import { NO_REASON, toFinishPart } from "../../../../core/chat/finish-reasons.ts";
import { asList, asObject, asText } from "../../../../core/chat/json.ts";
import { createToolCallReader } from "../openai-tool-calls.ts";
import { getAudioText, isFinishReason, readFinish, readReasoning, readText } from "./openai-usage.ts";
import { readSignatures } from "./reasoning-details.ts";

/**
 * The stop sequence that ended a choice, which vLLM (`stop_reason`) and SGLang (`matched_stop`) report in addition to the finish
 * reason; for other ends these are a token's number or a reason.
 */
export function readStopSequence(choice: Json): string | undefined {
  const text = asText(choice["stop_reason"]) ?? asText(choice["matched_stop"]);
  return text && choice["finish_reason"] === "stop" && !isFinishReason(text) ? text : undefined;
}

/** The finish reason of a choice that ended by `sequence`, or by a refusal. */
export function refineStop(
  reason: FinishReason,
  { sequence, hasRefusal }: { readonly sequence: string | undefined; readonly hasRefusal: boolean },
): FinishReason {
  if (reason !== "stop") return reason;
  if (hasRefusal) return "refusal";
  return sequence === undefined ? "stop" : "stop-sequence";
}

/** Reads the deltas of one choice and how it ended. */
export class ChoiceReader {
  readonly #calls = createToolCallReader();
  #hasRefusal = false;
  #hasDelta = false;
  #word: string | undefined;
  #sequence: string | undefined;

  /** Reads the next delta of a choice. */
  read(choice: Json): StreamPart[] {
    this.#word = asText(choice["finish_reason"]) || this.#word;
    if (choice["finish_reason"]) this.#sequence = readStopSequence(choice) ?? this.#sequence;
    const delta = asObject(choice["delta"]);
    this.#hasDelta ||= delta !== undefined;
    // Some upstreams send the whole message in one chunk; others repeat it after its deltas.
    const whole = this.#hasDelta ? undefined : asObject(choice["message"]);
    const read = delta ?? whole;
    return read ? this.#readDelta(read) : [];
  }

  hasEnded(): boolean {
    return this.#word !== undefined;
  }

  /** The fields of the finish. */
  getEnd() {
    const sequence = this.#sequence;
    const read = readFinish(this.#word ?? "", this.#calls.hasCalls());
    const reason = refineStop(read, { sequence, hasRefusal: this.#hasRefusal });
    const stopped = reason === "stop-sequence" && sequence !== undefined ? { stopSequence: sequence } : {};
    return { ...toFinishPart(reason, this.#word ?? NO_REASON), ...stopped };
  }

  #readDelta(delta: Json): StreamPart[] {
    const parts: StreamPart[] = [];
    const reasoning = readReasoning(delta);
    if (reasoning !== "") parts.push({ type: "reasoning-delta", text: reasoning });
    parts.push(...readSignatures(delta));
    const text = readText(delta["content"]);
    if (text) parts.push({ type: "text-delta", text });
    const refusal = asText(delta["refusal"]);
    if (refusal) {
      this.#hasRefusal = true;
      parts.push({ type: "text-delta", text: refusal, isRefusal: true });
    }
    const audio = delta["audio"] ? getAudioText(delta) : "";
    if (audio !== "") parts.push({ type: "other-output", text: audio });
    for (const call of asList(delta["tool_calls"])) parts.push(...this.#calls.read(asObject(call) ?? {}));
    if (delta["function_call"]) parts.push(...this.#calls.read({ index: 0, function: delta["function_call"] }));
    return parts;
  }
}
