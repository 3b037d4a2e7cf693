import type { Json } from "../../../core/chat/chat.ts";

export const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

export const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
};

/** A response as OpenAI sends it. */
export const getResponse = (fields: Json = {}): Json => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "gpt-5-codex",
  status: "completed",
  error: null,
  incomplete_details: null,
  output: [MESSAGE],
  usage: USAGE,
  ...fields,
});
