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
/** What waits until the open call is complete. */
type Waiting =
  | (ToolStart & { readonly kind: "tool"; argumentsText: string })
  | { readonly kind: "text" | "thinking"; text: string }
  | { readonly kind: "signature" | "redacted"; readonly text: string };

/** Whether the arguments of a call are complete; nearly always their last character shows that they are not. */
const isComplete = (argumentsText: string): boolean =>
  argumentsText.trimEnd().endsWith("}") && parseJson(argumentsText) !== undefined;

/** An event of text, joined from its fixed parts: most events of most streams are of text. */
const textDelta = (index: number, text: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`;

/**
 * The content blocks of one message stream: numbered from 0, one open at a time, each closed before the next begins.
 * Interleaved parts of upstream are serialized: what begins while the arguments of the open call are incomplete waits for
 * the rest of them, since a closed block cannot be continued.
 */
export class BlockStream {
  /** The number of closed blocks, which is the index of the open one. */
  #count = 0;
  #open: Open | undefined;
  readonly #waiting: Waiting[] = [];

  text(text: string): string {
    if (text === "") return "";
    return this.#mustWait() ? this.#queueText("text", text) : this.#writeText(text);
  }

  /** Citations of the open text block; citations that arrive after other blocks have no text to attach to. */
  cite(citations: readonly object[]): string {
    if (this.#open?.kind !== "text") return "";
    return citations.map((citation) => this.#delta({ type: "citations_delta", citation })).join("");
  }

  thinking(text: string): string {
    return this.#mustWait() ? this.#queueText("thinking", text) : this.#writeThinking(text);
  }

  signature(signature: string): string {
    return this.#mustWait() ? this.#queue({ kind: "signature", text: signature }) : this.#writeSignature(signature);
  }

  redacted(data: string): string {
    return this.#mustWait() ? this.#queue({ kind: "redacted", text: data }) : this.#closeOpen() + this.#redacted(data);
  }

  toolStart(call: ToolStart): string {
    return this.#mustWait() ? this.#queue({ ...call, kind: "tool", argumentsText: "" }) : this.#openTool(call, "");
  }

  toolDelta(index: number, text: string): string {
    if (this.#open?.kind === "tool" && this.#open.index === index) {
      this.#open.argumentsText += text;
      return this.#inputDelta(text) + (this.#waiting.length > 0 ? this.#writeWaiting(false) : "");
    }
    const call = this.#waiting.find((queued) => queued.kind === "tool" && queued.index === index);
    if (call?.kind === "tool") call.argumentsText += text;
    return "";
  }

  /** Closes all open and waiting blocks. */
  end(): string {
    return this.#writeWaiting(true) + this.#closeOpen();
  }

  #mustWait(): boolean {
    return this.#waiting.length > 0 || !this.#isFinished();
  }

  #queue(queued: Waiting): string {
    this.#waiting.push(queued);
    return "";
  }

  #queueText(kind: "text" | "thinking", text: string): string {
    const last = this.#waiting.at(-1);
    if (last?.kind !== kind) return this.#queue({ kind, text });
    last.text += text;
    return "";
  }

  #writeText(text: string): string {
    const opening = this.#open?.kind === "text" ? "" : this.#openText();
    return opening + textDelta(this.#count, text);
  }

  #openText(): string {
    const closed = this.#closeOpen();
    this.#open = { kind: "text" };
    return closed + this.#start({ type: "text", text: "" });
  }

  #writeThinking(text: string): string {
    return this.#openThinking() + this.#delta({ type: "thinking_delta", thinking: text });
  }

  #writeSignature(signature: string): string {
    const text = this.#openThinking() + this.#delta({ type: "signature_delta", signature });
    if (this.#open?.kind === "thinking") this.#open.signed = true;
    return text;
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
    const closed = this.#closeOpen();
    this.#open = { kind: "thinking", signed: false };
    return closed + this.#start({ type: "thinking", thinking: "", signature: "" });
  }

  #isFinished(): boolean {
    return this.#open?.kind !== "tool" || isComplete(this.#open.argumentsText);
  }

  /** Writes what waits while the open call is complete; all of it if `force` is set. */
  #writeWaiting(force: boolean): string {
    let text = "";
    while (this.#waiting.length > 0 && (force || this.#isFinished())) {
      const next = this.#waiting.shift();
      if (next) text += this.#writeQueued(next);
    }
    return text;
  }

  #writeQueued(queued: Waiting): string {
    switch (queued.kind) {
      case "tool":
        return this.#openTool(queued, queued.argumentsText);
      case "text":
        // Anthropic refuses a history with a block of blanks, which some models write between the parts of a call.
        return queued.text.trim() === "" ? "" : this.#writeText(queued.text);
      case "thinking":
        return this.#writeThinking(queued.text);
      case "signature":
        return this.#writeSignature(queued.text);
      case "redacted":
        return this.#closeOpen() + this.#redacted(queued.text);
    }
  }
}
