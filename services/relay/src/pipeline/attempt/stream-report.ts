import type { ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { countStep, createGeneratedText, type GeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import { recordModelResponse } from "./attempt-telemetry.ts";

/** What upstream's stream has reported so far: its response id, usage and finish, and the text to count. */
export class StreamReport {
  readonly generated: GeneratedText;
  /** The response id from upstream, empty until it is known. */
  id = "";
  usage: ReportedUsage;
  finish: Extract<StreamPart, { type: "finish" }> | undefined;
  readonly #call: RelayCall;

  constructor(call: RelayCall, tokenizer: Tokenizer) {
    this.#call = call;
    this.generated = createGeneratedText(tokenizer);
  }

  add(part: StreamPart): void {
    countStep(part, this.generated);
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
