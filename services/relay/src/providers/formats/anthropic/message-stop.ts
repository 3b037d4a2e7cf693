import type { FinishReason, Json } from "../../../core/chat/chat.ts";
import { asObject, asText } from "../../../core/chat/json.ts";
import { readStopReason } from "./anthropic-usage.ts";
import { toFinishReason } from "./claude-response-tool.ts";

/** How a message ended, from its fields or from those of its `message_delta` events. */
export class MessageStop {
  #word = "";
  #sequence: string | undefined;
  #explanation: string | undefined;

  add(fields: Json | undefined): void {
    this.#word = asText(fields?.["stop_reason"]) ?? this.#word;
    this.#sequence = asText(fields?.["stop_sequence"]) ?? this.#sequence;
    this.#explanation = asText(asObject(fields?.["stop_details"])?.["explanation"]) ?? this.#explanation;
  }

  /** Anthropic's own reason. */
  get word(): string {
    return this.#word;
  }

  /** Why the provider stopped the response, in words. */
  get explanation(): string | undefined {
    return this.#explanation;
  }

  /** `isByTool`: the only tool called is the one that carries a structured response. */
  getReason(isByTool: boolean): FinishReason {
    return toFinishReason(readStopReason(this.#word), isByTool);
  }

  /** The other fields of the finish. */
  getFields(): { readonly stopSequence?: string } {
    return this.#sequence === undefined ? {} : { stopSequence: this.#sequence };
  }
}
