import type { ReportedUsage, StreamPart } from "../../../core/chat/chat.ts";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { countStep, createGeneratedText, type GeneratedText } from "../../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../../accounting/tokens/tokenizer.ts";
import type { StreamFailure } from "../../../core/wire/stream.ts";
import { findFinishFailure } from "../finish-failures.ts";
import { recordModelResponse } from "../attempt-telemetry.ts";

/** What upstream's stream has reported so far: its response id, usage and finish, and the text to count. */
export class StreamReport {
  readonly generated: GeneratedText;
  /** The response id from upstream, empty until it is known. */
  id = "";
  usage: ReportedUsage;
  /** Upstream reported the usage of a response that it ended as failed. */
  isFinal = false;
  finish: Extract<StreamPart, { type: "finish" }> | undefined;
  /** Text, media or a tool call arrived. */
  hasOutput = false;
  readonly #call: RelayCall;

  constructor(call: RelayCall, tokenizer: Tokenizer) {
    this.#call = call;
    this.generated = createGeneratedText(tokenizer);
  }

  /** The failure by which the response ended; undefined if it ended otherwise. */
  findFailure(): StreamFailure | undefined {
    if (!this.finish) return undefined;
    const { reason, detail, usage } = this.finish;
    return findFinishFailure({ reason, detail, usage, hasOutput: this.hasOutput });
  }

  /** Adds text of an event that was not parsed completely. */
  addText(text: string): void {
    this.generated.add(text);
    this.hasOutput = true;
  }

  /** The response failed: with a report of its usage, else after what was reported so far. */
  fail(reported: ReportedUsage, soFar: ReportedUsage): void {
    this.isFinal = reported !== undefined;
    this.usage = reported ?? soFar ?? this.usage;
  }

  add(part: StreamPart): void {
    countStep(part, this.generated);
    if (part.type === "text-delta") this.hasOutput ||= part.text !== "";
    else if (part.type === "tool-call-start" || part.type === "media") this.hasOutput = true;
    if (part.type === "start") {
      this.id = part.id;
      if (part.usage) this.usage = part.usage;
      recordModelResponse(this.#call, part.model);
    }
    if (part.type === "finish") {
      this.finish = part;
      this.usage = part.usage ?? this.usage;
    }
  }
}
