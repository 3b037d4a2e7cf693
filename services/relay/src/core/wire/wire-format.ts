/** The formats of the endpoints beside chat. */
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
  | "openai-realtime"
  | "rerank"
  | "gemini-embed"
  | "gemini-batch-embed";

/** The formats that callers and upstreams share; when both sides speak the same one, bytes go through. No caller speaks "own". */
export type WireFormat = "openai-chat" | "anthropic-messages" | "gemini" | "own" | EndpointFormat;

/** Formats of chat answers, which can be read whole or as a stream. */
const CHAT_FORMATS: ReadonlySet<WireFormat> = new Set([
  "openai-chat",
  "openai-completions",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "own",
]);
export const isChatFormat = (format: WireFormat): boolean => CHAT_FORMATS.has(format);
