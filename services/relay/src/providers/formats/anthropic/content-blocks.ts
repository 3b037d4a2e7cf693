import type { Citation, Json, StreamPart } from "../../../core/chat/chat.ts";
import { asObject, asText, parseJson } from "../../../core/chat/json.ts";
import { createTextSkimmer } from "../../shared/text-skimmer.ts";
import { isOutputTool } from "./claude-response-tool.ts";
import { createCitations } from "./claude-web-search.ts";

/** The type of events that continue a block. */
export const DELTA = "content_block_delta";
const TEXT_OPENING = '"delta":{"type":"text_delta","text":"';
const TEXT_CLOSING = /^\}\s*\}$/;

/** Whether the text before a delta is valid JSON so far and begins an event of this type. */
const isHead = (head: string): boolean => asObject(parseJson(`${head}"delta":{}}`))?.["type"] === DELTA;

/** Whether a tool call's input was complete in its start event, as in replays. */
const hasFields = (input: unknown): boolean => Object.keys(asObject(input) ?? {}).length > 0;

/** Generated text that only Anthropic's format has a place for: it counts, and is not converted. */
const toOtherOutput = (value: unknown): StreamPart[] => {
  const text = asText(value) ?? "";
  return text === "" ? [] : [{ type: "other-output", text }];
};

/** The content blocks of a streamed message, by upstream's index: text, reasoning, tool calls and their citations. */
export class ContentBlocks {
  /** Tool calls are numbered in order here, whereas upstream numbers all blocks. */
  readonly #toolIndexes = new Map<number, number>();
  /** Calls of the tool that carries a structured response: their input is the text. */
  readonly #responseBlocks = new Set<number>();
  readonly #citations = createCitations();
  readonly #skimText = createTextSkimmer({ opening: TEXT_OPENING, closing: TEXT_CLOSING, isHead });
  /** Called for the results of a web search that upstream ran, and when it begins to compact the conversation. */
  readonly #onSearch: () => void;
  readonly #onCompaction: () => void;

  constructor({ onSearch, onCompaction }: { readonly onSearch: () => void; readonly onCompaction: () => void }) {
    this.#onSearch = onSearch;
    this.#onCompaction = onCompaction;
  }

  start(blockIndex: number, block: Json): StreamPart[] {
    return this.#noteText(this.#readStart(blockIndex, block));
  }

  delta(blockIndex: number, delta: Json): StreamPart[] {
    return this.#noteText(this.#readDelta(blockIndex, delta));
  }

  /** The text of a delta of text, without the cost of parsing it completely; undefined if it must be parsed. */
  skim(data: string): string | undefined {
    const text = this.#skimText(data);
    if (text !== undefined) this.#citations.text(text);
    return text;
  }

  stop(): void {
    this.#citations.blockEnded();
  }

  /** Whether the only tool called is the one that carries a structured response. */
  isResponseOnly(): boolean {
    return this.#responseBlocks.size > 0 && this.#toolIndexes.size === 0;
  }

  /** The citations as a field of the finish; empty if there are none. */
  citations(): { readonly citations?: readonly Citation[] } {
    return this.#citations.field();
  }

  #readStart(blockIndex: number, block: Json): StreamPart[] {
    switch (block["type"]) {
      case "text":
        return asText(block["text"]) ? [{ type: "text-delta", text: asText(block["text"]) ?? "" }] : [];
      case "thinking":
        return asText(block["thinking"]) ? [{ type: "reasoning-delta", text: asText(block["thinking"]) ?? "" }] : [];
      case "redacted_thinking":
        return [{ type: "redacted-reasoning", data: asText(block["data"]) ?? "" }];
      case "tool_use":
        return this.#readToolStart(blockIndex, block);
      case "compaction":
        this.#onCompaction();
        return toOtherOutput(block["content"]);
      default: // Blocks of server tools have no equivalent outside Anthropic's format.
        if (block["type"] === "web_search_tool_result") this.#onSearch();
        return [];
    }
  }

  #readToolStart(blockIndex: number, block: Json): StreamPart[] {
    if (isOutputTool(block["name"])) return this.#readResponseStart(blockIndex, block["input"]);
    const index = this.#toolIndexes.size;
    this.#toolIndexes.set(blockIndex, index);
    const start: StreamPart = {
      type: "tool-call-start",
      index,
      id: asText(block["id"]) ?? "",
      name: asText(block["name"]) ?? "",
    };
    if (!hasFields(block["input"])) return [start];
    return [start, { type: "tool-call-delta", index, argumentsText: JSON.stringify(block["input"]) }];
  }

  #readResponseStart(blockIndex: number, input: unknown): StreamPart[] {
    this.#responseBlocks.add(blockIndex);
    return hasFields(input) ? [{ type: "text-delta", text: JSON.stringify(input) }] : [];
  }

  #readDelta(blockIndex: number, delta: Json): StreamPart[] {
    switch (delta["type"]) {
      case "text_delta":
        return [{ type: "text-delta", text: asText(delta["text"]) ?? "" }];
      case "thinking_delta":
        return [{ type: "reasoning-delta", text: asText(delta["thinking"]) ?? "" }];
      case "signature_delta":
        return [{ type: "reasoning-signature", signature: asText(delta["signature"]) ?? "" }];
      case "input_json_delta":
        return this.#readArguments(blockIndex, asText(delta["partial_json"]) ?? "");
      case "compaction_delta":
        return toOtherOutput(delta["content"]);
      case "citations_delta":
        this.#citations.cite(delta["citation"]);
        return [];
      default:
        return [];
    }
  }

  #readArguments(blockIndex: number, argumentsText: string): StreamPart[] {
    if (argumentsText === "") return [];
    if (this.#responseBlocks.has(blockIndex)) return [{ type: "text-delta", text: argumentsText }];
    const index = this.#toolIndexes.get(blockIndex);
    return index === undefined ? [] : [{ type: "tool-call-delta", index, argumentsText }];
  }

  /** The offset of a citation is given by the text before it. */
  #noteText(parts: StreamPart[]): StreamPart[] {
    for (const part of parts) if (part.type === "text-delta") this.#citations.text(part.text);
    return parts;
  }
}
