import type { Dialect } from "../../core/call/dialect.ts";
import { readChatFields } from "../shared/chat-fields.ts";
import { writeOpenAiError } from "./openai-error.ts";
import { parseOpenAiRequest } from "./openai-request.ts";
import { writeOpenAiResponse } from "./openai-response.ts";
import { newOpenAiStreamWriter } from "./openai-stream.ts";

/** OpenAI's chat completions, as used by its SDKs. */
export const openAiChat = {
  name: "openai-chat",
  passesBodyUnchanged: true,
  usageOnRequest: true,
  takesReasoningAsText: true,
  readFields: readChatFields,
  parseRequest: parseOpenAiRequest,
  writeResponse: writeOpenAiResponse,
  newStreamWriter: newOpenAiStreamWriter,
  writeError: writeOpenAiError,
} satisfies Dialect;
