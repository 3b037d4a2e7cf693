import type { Json } from "../../../core/chat/chat.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

export const RUNNING = { status: "in_progress", output: [], usage: null };
export const CREATED = { type: "response.created", response: getResponse(RUNNING) };

export const inItem = (type: string, fields: Json = {}): Json => ({
  type,
  item_id: "item_1",
  output_index: 0,
  ...fields,
});
export const added = (item: Json): Json => ({ type: "response.output_item.added", output_index: 0, item });
export const done = (item: Json): Json => ({ type: "response.output_item.done", output_index: 0, item });
export const end = (...output: readonly Json[]): Json => ({
  type: "response.completed",
  response: getResponse({ output: output.length === 0 ? [MESSAGE] : output }),
});

export const number = (events: readonly Json[]): Json[] =>
  events.map((event, at) => ({ ...event, sequence_number: at }));
/** A whole stream around some events. */
export const stream = (...events: readonly Json[]): Json[] => number([CREATED, ...events, end()]);

/** The events of a message, of which some may be missing. */
export const PART = { type: "output_text", text: "", annotations: [], logprobs: [] };
export const MESSAGE_ADDED = added({ ...MESSAGE, status: "in_progress", content: [] });
export const PART_ADDED = inItem("response.content_part.added", { content_index: 0, part: PART });
export const DELTA = inItem("response.output_text.delta", { content_index: 0, delta: "Hello", logprobs: [] });
export const TEXT_DONE = inItem("response.output_text.done", { content_index: 0, text: "Hello", logprobs: [] });
export const PART_DONE = inItem("response.content_part.done", { content_index: 0, part: { ...PART, text: "Hello" } });
export const WHOLE = [MESSAGE_ADDED, PART_ADDED, DELTA, TEXT_DONE, PART_DONE, done(MESSAGE)];
export const without = (event: Json): Json[] => stream(...WHOLE.filter((one) => one !== event));

/** An event next to a whole message. */
export const next = (...events: readonly Json[]): Json[] => stream(...WHOLE, ...events);
