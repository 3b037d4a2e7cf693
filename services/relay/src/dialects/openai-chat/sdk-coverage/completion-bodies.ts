import type { Json } from "../../../core/chat/chat.ts";

export const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

export const MESSAGE = { role: "assistant", content: "Hello", refusal: null, annotations: [] };

/** A completion as OpenAI sends it. */
export const getCompletion = (message: Json, finishReason = "stop", usage: Json = USAGE): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4.1",
  choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
  usage,
});

const getChunk = (fields: Json): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "gpt-4.1",
  ...fields,
});

/** A stream of deltas with its end and its usage. */
export const getChunks = (deltas: readonly Json[], finishReason = "stop"): Json[] => [
  ...deltas.map((delta) => getChunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] })),
  getChunk({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishReason }] }),
  getChunk({ choices: [], usage: USAGE }),
];
