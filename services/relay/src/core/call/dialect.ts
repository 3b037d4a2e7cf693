import type { ImagePieces } from "@turnpike/contract/pricing/image-price";
import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { ChatRequest, ChatResponse, Json, StreamPart } from "../chat/chat.ts";
import type { RelayError } from "../errors/relay-error.ts";
import type { StreamEvent } from "../wire/stream.ts";
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
  readonly requested?: Json;
  /** Seals the summary of a conversation for the caller; absent for calls that request none. */
  readonly sealSummary?: (summary: string) => string;
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
  /** The length of a recording; a started second counts fully. */
  readonly seconds?: number;
};

/** The rules of a non-chat endpoint. Absent for chat. */
export type EndpointRules = {
  /** The text to charge for if upstream reports no usage. */
  readonly prompt: (body: Json) => PromptText;
  /** Responses have no completion tokens: usage with only prompt tokens is complete. */
  readonly promptOnly: boolean;
  /** Channels without the endpoint serve it through chat. */
  readonly isServedByChat: boolean;
  /** So do channels with the endpoint whose server turns out not to have it. */
  readonly fallsBackToChat?: boolean;
  /** The field that chat cannot serve; undefined if chat can serve the call. */
  readonly ownField?: (body: Json) => string | undefined;
  /** Whether chat can serve the call only in part: channels with the endpoint itself come first. */
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
  /** How many pieces the call requests, and of which kind, for models with prices by quality and size. */
  readonly pieces?: (body: Json) => ImagePieces;
  /** Rewrites the response where upstream's format differs from the caller's; returns the same bytes if it does not. */
  readonly rewriteResponse?: (body: Json, response: Buffer, charged: ChargedFor) => Buffer;
};

/** The charged usage and the caller's model name, for responses that do not contain them. */
export type ChargedFor = { readonly model: string; readonly usage: TokenUsage };

/** Writes parts as the dialect's stream. */
export type StreamWriter = {
  /** The text to send, possibly empty. `finish` returns everything up to and including the end mark. */
  readonly write: (part: StreamPart) => string;
  /** An error after the first byte: the dialect's error event, without an end mark. */
  readonly fail: (error: RelayError, requestId: string) => string;
  /**
   * For dialects whose error event has the response and a number: takes them from the data of an event that was passed
   * through. Called for the first event, and for the last one before `fail`.
   */
  readonly follow?: (data: string) => void;
  /**
   * For dialects whose clients read upstream's own failure event: the event with the message of the error; undefined if it
   * must not be passed through. Unless `isEnd`, `fail` follows it.
   */
  readonly rewriteFailure?: (
    event: StreamEvent,
    error: RelayError,
  ) => { readonly event: StreamEvent; readonly isEnd: boolean } | undefined;
};

/** The fields that limit each response to a number of tokens, or what the dialect needs in addition to the prompt. */
export type OutputBound = { readonly fields: Json } | { readonly needed: string };

/** How a dialect's clients read rate limits in headers. */
export type LimitHeaders = {
  readonly toName: (unit: "requests" | "tokens", value: "limit" | "remaining" | "reset") => string;
  readonly writeReset: (resetMs: number, nowMs: number) => string;
};

/** Whether a call can do without the tools that only providers of its format have. */
export type OwnTools = "optional" | "required";

/** Returns what replaces an id; one that is only cited may be of another account. */
export type ReplaceFileId = (id: string, path: string, isCitation: boolean) => string;

/** The ids of containers and files that an account of a provider keeps for callers. */
export type StoredFiles = {
  /** Whether a request may refer to such ids, or its response hold them. */
  readonly isUsed: (body: Json) => boolean;
  /** Replaces the ids in a request, a response or an event; returns the same object if nothing changes. */
  readonly replaceIds: (json: Json, replace: ReplaceFileId) => Json;
};

/** A model other than its own that a request names, and the field that names it. */
export type NamedModel = { readonly model: string; readonly param: string };

/** What only some dialects have or need; absent means no. */
export type DialectCapabilities = {
  /**
   * The tools of the body that only providers of the same format have; undefined if there are none. Channels of that format come
   * first. Others serve the call without such tools if they are optional, and refuse it otherwise.
   */
  readonly getOwnTools?: (body: Json) => OwnTools | undefined;
  /** Limits each response to `tokens`, at most what the body allows already. Absent: no field does. */
  readonly boundOutput?: (body: Json, tokens: number, model: string) => OutputBound;
  /** Absent: OpenAI's headers. */
  readonly limitHeaders?: LimitHeaders;
  /** The number of requested candidates, if it is not the field `n`. */
  readonly countCandidates?: (body: Json) => unknown;
  /** The body's field that names fallback models. */
  readonly fallbackField?: "models" | "fallbacks";
  /** The models that the provider would run within the call. */
  readonly getInnerModels?: (body: Json) => readonly NamedModel[];
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
  /** Absent: calls refer to no such ids, or have other rules for them. */
  readonly storedFiles?: StoredFiles;
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
