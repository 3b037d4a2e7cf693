/** The formats of the non-chat endpoints. */
export type EndpointFormat =
  | "openai-embeddings"
  | "openai-completions"
  | "openai-moderations"
  | "openai-images"
  | "openai-image-edits"
  | "openai-speech"
  | "openai-transcriptions"
  | "openai-translations"
  | "openai-responses"
  | "openai-compact"
  | "openai-realtime"
  | "rerank"
  | "gemini-embed"
  | "gemini-batch-embed";

/**
 * The formats shared by callers and upstreams; if both sides use the same one, bytes are passed through. No caller uses
 * "own".
 */
export type WireFormat = "openai-chat" | "anthropic-messages" | "gemini" | "own" | EndpointFormat;

/** Formats of chat responses, which can be parsed in non-streaming form or as a stream. */
const CHAT_FORMATS: ReadonlySet<WireFormat> = new Set([
  "openai-chat",
  "openai-completions",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "own",
]);
export const isChatFormat = (format: WireFormat): boolean => CHAT_FORMATS.has(format);
