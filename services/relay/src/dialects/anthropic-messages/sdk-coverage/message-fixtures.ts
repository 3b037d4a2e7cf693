import type { Json } from "../../../core/chat/chat.ts";

export const USAGE = { input_tokens: 100, output_tokens: 20, service_tier: "standard" };
export const NOON = { type: "text", text: "It is noon.", citations: null };

/** A message as Anthropic returns it. */
export const getMessage = (fields: Json): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5-20250929",
  content: [NOON],
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  context_management: null,
  container: null,
  usage: USAGE,
  ...fields,
});

export const messageStart = (usage: Json = {}): Json => ({
  type: "message_start",
  message: getMessage({ content: [], stop_reason: null, usage: { input_tokens: 100, output_tokens: 1, ...usage } }),
});

/** The events of one content block. */
export const streamBlock = (index: number, block: Json, deltas: readonly Json[]): Json[] => [
  { type: "content_block_start", index, content_block: block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

export const TEXT_BLOCK = { type: "text", text: "", citations: null };
export const textDelta = (text: string): Json => ({ type: "text_delta", text });

export const messageEnd = (delta: Json = {}, usage: Json = {}): Json[] => [
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null, stop_details: null, container: null, ...delta },
    usage: { output_tokens: 20, ...usage },
    context_management: null,
  },
  { type: "message_stop" },
];
