import type { Dialect } from "../../core/call/dialect.ts";
import { readChatFields } from "../shared/chat-fields.ts";
import { writeAnthropicError } from "./anthropic-error.ts";
import { parseAnthropicRequest } from "./anthropic-request.ts";
import { writeAnthropicResponse } from "./anthropic-response.ts";
import { newAnthropicStreamWriter } from "./anthropic-stream.ts";

/** Anthropic's Messages API, as used by its SDKs and Claude Code. */
export const anthropicMessages = {
  name: "anthropic-messages",
  logsAsClaude: true,
  readFields: readChatFields,
  parseRequest: parseAnthropicRequest,
  writeResponse: writeAnthropicResponse,
  newStreamWriter: newAnthropicStreamWriter,
  writeError: writeAnthropicError,
} satisfies Dialect;
