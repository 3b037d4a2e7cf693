import type { ContentPart, Json, StreamPart } from "../../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../../core/chat/json.ts";
import { newToolCallId } from "../../../core/chat/tool-calls.ts";

type Slot = { readonly index: number; id: string; isStarted: boolean; held: string };

/**
 * Collects the tool calls of one stream. Indexes here count the calls in order of appearance, whatever indexes upstream
 * sends: some begin at 1, some omit the index, some give every call index 0 and a new id.
 */
export function createToolCallReader() {
  const byUpstreamIndex = new Map<number, Slot>();
  let last: Slot | undefined;
  let count = 0;

  function getSlot(upstreamIndex: number | undefined, id: string): Slot {
    const known = upstreamIndex === undefined ? last : byUpstreamIndex.get(upstreamIndex);
    const isAnother = known !== undefined && known.isStarted && id !== "" && known.id !== id;
    if (known && !isAnother) return known;
    const slot: Slot = { index: count++, id, isStarted: false, held: "" };
    if (upstreamIndex !== undefined) byUpstreamIndex.set(upstreamIndex, slot);
    return slot;
  }

  return {
    /** Parts of one `tool_calls` entry of a delta. A call starts when its name is known. */
    read(call: Json): StreamPart[] {
      // The input of a custom tool is a text; only callers of this format offer one.
      const fn = asObject(call["function"]) ?? asObject(call["custom"]);
      const id = asText(call["id"]) ?? "";
      const slot = getSlot(asNumber(call["index"]), id);
      last = slot;
      const argumentsText = asText(fn?.["arguments"]) ?? asText(fn?.["input"]) ?? "";
      if (slot.isStarted) {
        return argumentsText === "" ? [] : [{ type: "tool-call-delta", index: slot.index, argumentsText }];
      }
      slot.id ||= id;
      slot.held += argumentsText;
      const name = asText(fn?.["name"]);
      if (!name) return [];
      slot.isStarted = true;
      slot.id ||= newToolCallId();
      const start: StreamPart = { type: "tool-call-start", index: slot.index, id: slot.id, name };
      const held = slot.held;
      slot.held = "";
      return held === "" ? [start] : [start, { type: "tool-call-delta", index: slot.index, argumentsText: held }];
    },
    hasCalls: (): boolean => count > 0,
  };
}

/** A tool call of a non-streaming response; one without a name is dropped, one without an id gets one. */
export function readToolCall(value: unknown): ContentPart[] {
  const call = asObject(value);
  const fn = asObject(call?.["function"]) ?? asObject(call?.["custom"]);
  const name = asText(fn?.["name"]);
  if (!name) return [];
  const id = asText(call?.["id"]) || newToolCallId();
  return [{ type: "tool-call", id, name, argumentsText: asText(fn?.["arguments"]) ?? asText(fn?.["input"]) ?? "" }];
}
