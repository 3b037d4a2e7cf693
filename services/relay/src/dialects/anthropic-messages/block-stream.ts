import { parseJson } from "../../core/chat/json.ts";
import { typedEvent } from "../shared/sse.ts";

type ToolStart = {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** The provider's signature of the call, as the block before it. */
  readonly seal?: string | undefined;
};
type Open =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; signed: boolean }
  | { readonly kind: "tool"; readonly index: number; argumentsText: string };

/** An event of text, joined from its fixed parts: most events of most streams are of text. */
const textDelta = (index: number, text: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`;

/**
 * The content blocks of one message stream: numbered from 0, one open at a time, each closed before the next begins.
 * Interleaved tool calls of upstream are serialized: a call that begins while the previous call's arguments are
 * incomplete is queued.
 */
export class BlockStream {
  /** The number of closed blocks, which is the index of the open one. */
  #count = 0;
  #open: Open | undefined;
  readonly #waiting: (ToolStart & { argumentsText: string })[] = [];

  text(text: string): string {
    if (text === "") return "";
    let opening = "";
    if (this.#open?.kind !== "text") {
      opening = this.#openWaiting(true) + this.#closeOpen();
      this.#open = { kind: "text" };
      opening += this.#start({ type: "text", text: "" });
    }
    return opening + textDelta(this.#count, text);
  }

  /** Citations of the open text block; citations that arrive after other blocks have no text to attach to. */
  cite(citations: readonly object[]): string {
    if (this.#open?.kind !== "text") return "";
    return citations.map((citation) => this.#delta({ type: "citations_delta", citation })).join("");
  }

  thinking(text: string): string {
    return this.#openThinking() + this.#delta({ type: "thinking_delta", thinking: text });
  }

  signature(signature: string): string {
    const text = this.#openThinking() + this.#delta({ type: "signature_delta", signature });
    if (this.#open?.kind === "thinking") this.#open.signed = true;
    return text;
  }

  redacted(data: string): string {
    return this.#openWaiting(true) + this.#closeOpen() + this.#redacted(data);
  }

  toolStart(call: ToolStart): string {
    if (this.#waiting.length === 0 && this.#isFinished()) return this.#openTool(call, "");
    this.#waiting.push({ ...call, argumentsText: "" });
    return "";
  }

  toolDelta(index: number, text: string): string {
    if (this.#open?.kind === "tool" && this.#open.index === index) {
      this.#open.argumentsText += text;
      return this.#inputDelta(text) + (this.#waiting.length > 0 ? this.#openWaiting(false) : "");
    }
    const call = this.#waiting.find((candidate) => candidate.index === index);
    if (call) call.argumentsText += text;
    return "";
  }

  /** Closes all open and queued blocks. */
  end(): string {
    return this.#openWaiting(true) + this.#closeOpen();
  }

  #redacted(data: string): string {
    this.#open = { kind: "text" };
    return this.#start({ type: "redacted_thinking", data }) + this.#closeOpen();
  }

  #start(contentBlock: object): string {
    return typedEvent({ type: "content_block_start", index: this.#count, content_block: contentBlock });
  }

  #delta(body: object): string {
    return typedEvent({ type: "content_block_delta", index: this.#count, delta: body });
  }

  #inputDelta(text: string): string {
    return text === "" ? "" : this.#delta({ type: "input_json_delta", partial_json: text });
  }

  #closeOpen(): string {
    if (!this.#open) return "";
    this.#open = undefined;
    return typedEvent({ type: "content_block_stop", index: this.#count++ });
  }

  #openTool({ index, id, name, seal }: ToolStart, argumentsText: string): string {
    const closed = this.#closeOpen() + (seal === undefined ? "" : this.#redacted(seal));
    this.#open = { kind: "tool", index, argumentsText };
    return closed + this.#start({ type: "tool_use", id, name, input: {} }) + this.#inputDelta(argumentsText);
  }

  #openThinking(): string {
    if (this.#open?.kind === "thinking" && !this.#open.signed) return "";
    const closed = this.#openWaiting(true) + this.#closeOpen();
    this.#open = { kind: "thinking", signed: false };
    return closed + this.#start({ type: "thinking", thinking: "", signature: "" });
  }

  #isFinished(): boolean {
    return this.#open?.kind !== "tool" || parseJson(this.#open.argumentsText) !== undefined;
  }

  /** Opens queued calls while the previous call's arguments are complete; opens all of them if `force` is set. */
  #openWaiting(force: boolean): string {
    let text = "";
    while (this.#waiting.length > 0 && (force || this.#isFinished())) {
      const next = this.#waiting.shift();
      if (next) text += this.#openTool(next, next.argumentsText);
    }
    return text;
  }
}
