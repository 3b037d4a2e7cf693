import type { Json } from "../chat/chat.ts";
import { decodeObjects, encodeObjects } from "../chat/encoded-text.ts";
import { asText } from "../chat/json.ts";

/** Claude's format in OpenRouter's `reasoning_details`, which is the default. */
export const CLAUDE_FORMAT = "anthropic-claude-v1";

/** Whether a detail is Claude's, whose signatures and encrypted reasoning other formats carry as they are. */
export const isClaudeDetail = ({ format }: Json): boolean => (format ?? CLAUDE_FORMAT) === CLAUDE_FORMAT;

const isEncrypted = ({ type }: Json): boolean => asText(type) === "reasoning.encrypted";

/**
 * A detail that another model encrypted, as an opaque text: only OpenRouter can use it, and requires it back with its format
 * and ids. Undefined for other details.
 */
export const encodeDetail = (detail: Json): string | undefined =>
  isEncrypted(detail) && !isClaudeDetail(detail) ? encodeObjects([detail]) : undefined;

/** The details in such a text; none in any other text. */
export const decodeDetails = (data: string): Json[] => decodeObjects(data).filter(isEncrypted);
