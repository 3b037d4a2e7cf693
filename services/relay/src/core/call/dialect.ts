import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { ChatRequest, ChatResponse, Json, StreamPart } from "../chat/chat.ts";
import type { RelayError } from "../errors/relay-error.ts";
import type { WireFormat } from "../wire/wire-format.ts";

/** The call's context for response writers. `model` is the name the caller used. */
export type ResponseContext = {
  readonly requestId: string;
  readonly model: string;
  readonly includeUsage: boolean;
  readonly createdAtSeconds: number;
  /** Approximate number of prompt tokens, for what is sent before upstream reports the count. */
  readonly estimatePromptTokens?: number;
  /** The request body: responses repeat some of its fields and use its tool format. */
  readonly asked?: Json;
  /** Receives the items of a complete response. */
  readonly storeOutput?: (output: readonly Json[]) => void;
};

/** Values that the URL carries instead of the body (Gemini). */
export type PathValues = { readonly model: string; readonly stream: boolean };

/** Validated fields that every call has in some form. */
export type CommonFields = PathValues & {
  readonly includeUsage: boolean;
  readonly maxOutputTokens: number | undefined;
};

/**
 * Text for the tokenizer, and a token count for everything that is not text. `isExact` if the count is the provider's
 * formula rather than an estimate.
 */
export type PromptText = {
  readonly text: string;
  /** The texts it consists of, if they are counted separately. */
  readonly texts?: readonly string[];
  readonly extraTokens: number;
  readonly isExact?: boolean;
};

/** The rules of a non-chat endpoint. Absent for chat. */
export type EndpointRules = {
  /** The text to charge for if upstream reports no usage. */
  readonly prompt: (body: Json) => PromptText;
  /** Responses have no completion tokens: usage with only prompt tokens is complete. */
  readonly promptOnly: boolean;
  /** Channels without the endpoint serve it through chat. */
  readonly isServedByChat: boolean;
  /** The field that chat cannot serve; undefined if chat can serve the call. */
  readonly ownField?: (body: Json) => string | undefined;
  /** Whether chat can serve the call only in part: channels with the endpoint itself are preferred if there are any. */
  readonly isPartialOverChat?: (body: Json) => boolean;
  /** Repeated calls may be served from the response cache, as chat is. */
  readonly isCacheable?: boolean;
  /** The response is raw bytes, passed through with upstream's content type. */
  readonly returnsBytes?: boolean;
  /** The body may be a multipart form. */
  readonly takesForm?: boolean;
  /** Non-streaming responses may be something other than JSON; their content type is upstream's. */
  readonly returnsText?: boolean;
  /**
   * For endpoints that are priced by the piece: the call's price in plain pieces. `delivered` is how many pieces the response held,
   * where that is known; fewer than requested cost less.
   */
  readonly priceUnits?: (body: Json, delivered?: number) => number;
  /** Rewrites the response where upstream's format differs from the caller's; returns the same bytes if it does not. */
  readonly rewriteResponse?: (body: Json, answer: Buffer, charged: ChargedFor) => Buffer;
};

/** The charged usage and the caller's model name, for responses that do not contain them. */
export type ChargedFor = { readonly model: string; readonly usage: TokenUsage };

/** Writes parts as the dialect's stream. */
export type StreamWriter = {
  /** The text to send, possibly empty. `finish` returns everything up to and including the end mark. */
  readonly write: (part: StreamPart) => string;
  /** An error after the first byte: the dialect's error event, without an end mark. */
  readonly fail: (error: RelayError, requestId: string) => string;
};

/** What only some dialects have or need; absent means no. */
export type DialectCapabilities = {
  /** The number of requested candidates, if it is not the field `n`. */
  readonly countCandidates?: (body: Json) => unknown;
  /** The URL names the model, so pass-through bodies do not contain it. */
  readonly namesModelInPath?: boolean;
  /** `global.pass_through_request_enabled` applies: bodies are sent unchanged, without model mapping and overrides. */
  readonly passesBodyUnchanged?: boolean;
  /** Streams report usage only if requested with `stream_options`. */
  readonly usageOnRequest?: boolean;
  /** Streams are one JSON array unless the URL requests events. */
  readonly streamsArray?: boolean;
  /** The channel setting `thinking_to_content` applies: reasoning is written as text. */
  readonly takesReasoningAsText?: boolean;
  /** Callers know which image URIs upstreams of the same format accept, so images are not fetched for them. */
  readonly keepsImageUris?: boolean;
  /** Requests may refer to items of earlier responses by their ids. */
  readonly refersToItems?: boolean;
  /** Log rows count prompt tokens as Anthropic does, without cache reads and writes, and carry the `claude` flag. */
  readonly logsAsClaude?: boolean;
  /** Calls are sessions over a WebSocket. */
  readonly isWebSocket?: boolean;
};

/** An inbound format of the model API. */
export type Dialect = DialectCapabilities & {
  readonly name: WireFormat;
  readonly endpoint?: EndpointRules;
  /** Reads and validates the fields that every call has. Throws invalid_request with the invalid field in `param`. */
  readonly readFields: (body: Json, path: PathValues | undefined) => CommonFields;
  /** Throws RelayError invalid_request with the invalid field in `param`. `body` is parsed JSON of any shape. */
  readonly parseRequest: (body: unknown, path: PathValues) => ChatRequest;
  readonly writeResponse: (response: ChatResponse, context: ResponseContext) => unknown;
  readonly newStreamWriter: (context: ResponseContext) => StreamWriter;
  readonly writeError: (error: RelayError, requestId: string) => unknown;
};
