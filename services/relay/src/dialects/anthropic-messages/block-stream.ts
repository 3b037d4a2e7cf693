import { parseJson } from "../../core/chat/json.ts";
import { typedEvent } from "../shared/sse.ts";

type ToolStart = { readonly index: number; readonly id: string; readonly name: string };
type Open =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; signed: boolean }
  | { readonly kind: "tool"; readonly index: number; argumentsText: string };

/**
 * The content blocks of one message stream: numbered from 0, one open at a time, each closed before the next begins.
 * Interleaved tool calls of upstream are serialized: a call that begins while the previous call's arguments are
 * incomplete is queued.
 */
export function createBlockStream() {
  let count = 0;
  let open: Open | undefined;
  const waiting: (ToolStart & { argumentsText: string })[] = [];

  const start = (contentBlock: object): string =>
    typedEvent({ type: "content_block_start", index: count, content_block: contentBlock });
  const delta = (body: object): string => typedEvent({ type: "content_block_delta", index: count, delta: body });
  const inputDelta = (text: string): string =>
    text === "" ? "" : delta({ type: "input_json_delta", partial_json: text });

  function closeOpen(): string {
    if (!open) return "";
    open = undefined;
    return typedEvent({ type: "content_block_stop", index: count++ });
  }

  function openTool({ index, id, name }: ToolStart, argumentsText: string): string {
    const closed = closeOpen();
    open = { kind: "tool", index, argumentsText };
    return closed + start({ type: "tool_use", id, name, input: {} }) + inputDelta(argumentsText);
  }

  const isFinished = (): boolean => open?.kind !== "tool" || parseJson(open.argumentsText) !== undefined;

  /** Opens queued calls while the previous call's arguments are complete; opens all of them if `force` is set. */
  function openWaiting(force: boolean): string {
    let text = "";
    while (waiting.length > 0 && (force || isFinished())) {
      const next = waiting.shift();
      if (next) text += openTool(next, next.argumentsText);
    }
    return text;
  }

  function openThinking(): string {
    if (open?.kind === "thinking" && !open.signed) return "";
    const closed = openWaiting(true) + closeOpen();
    open = { kind: "thinking", signed: false };
    return closed + start({ type: "thinking", thinking: "", signature: "" });
  }

  return {
    text(text: string): string {
      if (text === "") return "";
      let opening = "";
      if (open?.kind !== "text") {
        opening = openWaiting(true) + closeOpen();
        open = { kind: "text" };
        opening += start({ type: "text", text: "" });
      }
      return opening + delta({ type: "text_delta", text });
    },
    /** Citations of the open text block; citations that arrive after other blocks have no text to attach to. */
    cite: (citations: readonly object[]): string =>
      open?.kind === "text" ? citations.map((citation) => delta({ type: "citations_delta", citation })).join("") : "",
    thinking: (text: string): string => openThinking() + delta({ type: "thinking_delta", thinking: text }),
    signature(signature: string): string {
      const text = openThinking() + delta({ type: "signature_delta", signature });
      if (open?.kind === "thinking") open.signed = true;
      return text;
    },
    redacted(data: string): string {
      const closed = openWaiting(true) + closeOpen();
      open = { kind: "text" };
      return closed + start({ type: "redacted_thinking", data }) + closeOpen();
    },
    toolStart(call: ToolStart): string {
      if (waiting.length === 0 && isFinished()) return openTool(call, "");
      waiting.push({ ...call, argumentsText: "" });
      return "";
    },
    toolDelta(index: number, text: string): string {
      if (open?.kind === "tool" && open.index === index) {
        open.argumentsText += text;
        return inputDelta(text) + (waiting.length > 0 ? openWaiting(false) : "");
      }
      const call = waiting.find((candidate) => candidate.index === index);
      if (call) call.argumentsText += text;
      return "";
    },
    /** Closes all open and queued blocks. */
    end: (): string => openWaiting(true) + closeOpen(),
  };
}
