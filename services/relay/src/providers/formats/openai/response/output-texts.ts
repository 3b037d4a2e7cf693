import type { Json } from "../../../../core/chat/chat.ts";
import { asObjects, asText } from "../../../../core/chat/json.ts";

export type Kind = "text" | "refusal" | "reasoning" | "summary" | "arguments";

/** The kind of text that an event has, the field of its text, and the field of the part's place in its item. */
export type TextEvent = readonly [kind: Kind, text: string, place: string];

export const DELTAS: Readonly<Record<string, TextEvent>> = {
  "response.output_text.delta": ["text", "delta", "content_index"],
  "response.refusal.delta": ["refusal", "delta", "content_index"],
  "response.reasoning_text.delta": ["reasoning", "delta", "content_index"],
  "response.reasoning_summary_text.delta": ["summary", "delta", "summary_index"],
  "response.function_call_arguments.delta": ["arguments", "delta", ""],
  "response.custom_tool_call_input.delta": ["arguments", "delta", ""],
};

export const DONES: Readonly<Record<string, TextEvent>> = {
  "response.output_text.done": ["text", "text", "content_index"],
  "response.refusal.done": ["refusal", "refusal", "content_index"],
  "response.reasoning_text.done": ["reasoning", "text", "content_index"],
  "response.reasoning_summary_text.done": ["summary", "text", "summary_index"],
  "response.function_call_arguments.done": ["arguments", "arguments", ""],
  "response.custom_tool_call_input.done": ["arguments", "input", ""],
};

export const CALLS: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call"]);

/** A text of an item that is done. */
export type Done = { readonly kind: Kind; readonly place: number; readonly text: string };

/** The texts of an item that is done. */
export function getTexts(item: Json): Done[] {
  if (CALLS.has(item["type"])) {
    const text = asText(item["arguments"]) ?? asText(item["input"]) ?? "";
    return [{ kind: "arguments", place: 0, text }];
  }
  const kind = item["type"] === "reasoning" ? "reasoning" : "text";
  return [
    ...asObjects(item["summary"]).map(({ text }, place) => ({
      kind: "summary" as const,
      place,
      text: asText(text) ?? "",
    })),
    ...asObjects(item["content"]).map((part, place): Done => {
      const text = asText(part["text"]);
      return text === undefined
        ? { kind: "refusal", place, text: asText(part["refusal"]) ?? "" }
        : { kind, place, text };
    }),
  ];
}
