import type { Citation, Json } from "../../core/chat/chat.ts";
import { readInput } from "../../core/vendors/custom-input.ts";
import { getAnnotations } from "./responses-web-search.ts";
import { callPrefix, writeCallItem } from "./tool-call-items.ts";
import type { OfferedTool } from "./tool-catalog.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import {
  asCut,
  messageItem,
  reasoningItem,
  refusalPart,
  runningResponse,
  summaryPart,
  textPart,
} from "./responses-wire.ts";

/** An item of a streamed response. */
export type Item = {
  readonly kind: "message" | "refusal" | "reasoning" | "call";
  readonly id: string;
  readonly at: number;
  readonly callId: string;
  /** The name in chat. */
  readonly name: string;
  /** The offered tool that is called; undefined if the model calls another. */
  readonly tool?: OfferedTool;
  text: string;
  isClosed: boolean;
  citations?: readonly Citation[];
  /** The response was cut off within this item. */
  isCut?: boolean;
  /** The encrypted content of a reasoning item, for callers who send it back. */
  seal?: Json;
};

/** Empty for items that are not calls. */
export type CallName = Pick<Item, "callId" | "name" | "tool">;

const findPrefix = (kind: Item["kind"], tool: OfferedTool | undefined): string => {
  if (kind === "call") return callPrefix(tool);
  return kind === "reasoning" ? "rs" : "msg";
};

/** A new item at the end of the output. */
export const newItem = (kind: Item["kind"], at: number, requestId: string, call: CallName): Item => ({
  kind,
  id: `${findPrefix(kind, call.tool)}_${requestId}_${at}`,
  at,
  ...call,
  text: "",
  isClosed: false,
});

/** The item as it is announced, or as it is done. */
export function written(item: Item, isDone: boolean): Json {
  const complete = writtenComplete(item, isDone);
  return item.isCut ? asCut(complete) : complete;
}

function writtenComplete(item: Item, isDone: boolean): Json {
  const text = isDone ? item.text : undefined;
  if (item.kind === "message")
    return messageItem(item.id, text === undefined ? text : [textPart(text, item.citations)]);
  if (item.kind === "refusal") return messageItem(item.id, text === undefined ? text : [refusalPart(text)]);
  if (item.kind === "reasoning") return reasoningItem(item.id, text, item.seal);
  const call = { id: item.callId, name: item.name, argumentsText: isDone ? item.text || "{}" : undefined };
  return writeCallItem(item.id, item.tool, call);
}

/** Writes an event with the next sequence number. */
export type Emit = (type: string, data: Json) => string;

/** The events that begin a stream. */
export const startEvents = (context: ResponseContext, event: Emit): string =>
  event("response.created", { response: runningResponse(context) }) +
  event("response.in_progress", { response: runningResponse(context) });

export const ofItem = (item: Item): Json => ({ item_id: item.id, output_index: item.at });
export const inText = (item: Item): Json => ({ ...ofItem(item), content_index: 0 });
export const inSummary = (item: Item): Json => ({ ...ofItem(item), summary_index: 0 });

/** Writes the events that open the content of an item; `closePart` writes those that close it. */
export function openPart(item: Item, event: Emit): string {
  if (item.kind === "message") return event("response.content_part.added", { ...inText(item), part: textPart("") });
  if (item.kind === "refusal") return event("response.content_part.added", { ...inText(item), part: refusalPart("") });
  return ""; // Reasoning may have no readable text: its summary opens with the first text.
}

export function closePart(item: Item, event: Emit): string {
  const { text } = item;
  if (item.kind === "message") {
    const cited = getAnnotations(item.citations ?? []).map((annotation, annotation_index) =>
      event("response.output_text.annotation.added", { ...inText(item), annotation_index, annotation }),
    );
    return (
      cited.join("") +
      event("response.output_text.done", { ...inText(item), text, logprobs: [] }) +
      event("response.content_part.done", { ...inText(item), part: textPart(text, item.citations) })
    );
  }
  if (item.kind === "refusal") {
    return (
      event("response.refusal.done", { ...inText(item), refusal: text }) +
      event("response.content_part.done", { ...inText(item), part: refusalPart(text) })
    );
  }
  if (item.kind === "call") return closeCall(item, event);
  if (text === "") return "";
  return (
    event("response.reasoning_summary_text.done", { ...inSummary(item), text }) +
    event("response.reasoning_summary_part.done", { ...inSummary(item), part: summaryPart(text) })
  );
}

function closeCall(item: Item, event: Emit): string {
  const kind = item.tool?.kind ?? "function";
  const name = item.tool?.name ?? item.name;
  if (kind === "function") {
    const done = { ...ofItem(item), name, arguments: item.text || "{}" };
    return event("response.function_call_arguments.done", done);
  }
  if (kind !== "custom") return ""; // Their items are announced and done, without events in between.
  const input = readInput(item.text);
  return (
    event("response.custom_tool_call_input.delta", { ...ofItem(item), delta: input }) +
    event("response.custom_tool_call_input.done", { ...ofItem(item), input })
  );
}
