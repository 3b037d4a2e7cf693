import type { Json } from "../../core/chat/chat.ts";
import type { Dialect, OutputBound } from "../../core/call/dialect.ts";
import { atMost, readChatFields } from "../shared/chat-fields.ts";
import { writeOpenAiError } from "./openai-error.ts";
import { parseOpenAiRequest } from "./openai-request.ts";
import { writeOpenAiResponse } from "./openai-response.ts";
import { newOpenAiStreamWriter } from "./openai-stream.ts";
import { getOwnTools } from "./openai-tools.ts";

/** OpenAI's reasoning models refuse `max_tokens`; many compatible providers know nothing else. */
const REASONING = /^(o\d|gpt-5)/;

const LIMITS = ["max_completion_tokens", "max_tokens"] as const;

/** Lowers all limits that the caller set: upstreams differ in which of them they read. */
function boundOutput(body: Json, tokens: number, model: string): OutputBound {
  const known = LIMITS.filter((name) => body[name] !== undefined);
  const names = known.length > 0 ? known : [REASONING.test(model) ? LIMITS[0] : LIMITS[1]];
  return { fields: Object.fromEntries(names.map((name) => [name, atMost(body[name], tokens)])) };
}

/** OpenAI's chat completions, as used by its SDKs. */
export const openAiChat = {
  name: "openai-chat",
  passesBodyUnchanged: true,
  usageOnRequest: true,
  fallbackField: "models",
  takesReasoningAsText: true,
  boundOutput,
  getOwnTools,
  readFields: readChatFields,
  parseRequest: parseOpenAiRequest,
  writeResponse: writeOpenAiResponse,
  newStreamWriter: newOpenAiStreamWriter,
  writeError: writeOpenAiError,
} satisfies Dialect;
