import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { ChatRequest, ChatResponse, Json, StreamPart } from "../chat/chat.ts";
import type { RelayError } from "../errors/relay-error.ts";
import type { WireFormat } from "../wire/wire-format.ts";

/** What an answer is told about the call it answers. `model` is the name the caller used. */
export type ResponseContext = {
  readonly requestId: string;
  readonly model: string;
  readonly includeUsage: boolean;
  readonly createdAtSeconds: number;
  /** About how many tokens were asked, for what is told before upstream counts them. */
  readonly roughPromptTokens?: number;
  /** What was asked: answers repeat some of it, and call tools as it does. */
  readonly asked?: Json;
  /** Is told the items of a whole or ended response. */
  readonly keepOutput?: (output: readonly Json[]) => void;
};

/** What a call's address says where the body does not (Gemini). */
export type PathFacts = { readonly model: string; readonly stream: boolean };

/** What every call says in some way, checked. */
export type CommonFields = PathFacts & {
  readonly includeUsage: boolean;
  readonly maxOutputTokens: number | undefined;
};

/** Text for the tokenizer, and a figure for what is not text. `isExact` where that is the formula, not a guess. */
export type PromptText = {
  readonly text: string;
  /** The pieces that it is of, where they are counted one by one. */
  readonly texts?: readonly string[];
  readonly extraTokens: number;
  readonly isExact?: boolean;
};

/** What sets an endpoint beside chat apart. Absent for chat itself. */
export type EndpointRules = {
  /** Throws RelayError invalid_request with the wrong field in `param`. */
  readonly readFields: (body: Json, path: PathFacts | undefined) => CommonFields;
  /** What the call is charged for where upstream tells no usage. */
  readonly prompt: (body: Json) => PromptText;
  /** Answers have no completion tokens: a usage of prompt tokens alone is whole. */
  readonly promptOnly: boolean;
  /** Channels that do not have the endpoint serve it through chat. */
  readonly servedByChat: boolean;
  /** The field for which chat will not do, undefined where it will. */
  readonly ownField?: (body: Json) => string | undefined;
  /** Whether chat will do with less than was asked: channels that have the endpoint itself are taken where there are any. */
  readonly losesByChat?: (body: Json) => boolean;
  /** The answer is bytes of any kind, which go out as they come; their type is upstream's. */
  readonly answersBytes?: boolean;
  /** The body may be a multipart form. */
  readonly takesForm?: boolean;
  /** Whole answers may be something else than JSON; their type is upstream's. */
  readonly answersText?: boolean;
  /**
   * For endpoints that are priced by the piece: the call's price in plain pieces. `delivered` is how many pieces the response held,
   * where that is known; fewer than requested cost less.
   */
  readonly priceUnits?: (body: Json, delivered?: number) => number;
  /** The answer as the caller wants it where upstream's differs; the very same bytes where it does not. */
  readonly rewriteAnswer?: (body: Json, answer: Buffer, charged: ChargedFor) => Buffer;
};

/** What a call is charged for, and the model's name that its caller used: for answers that do not say. */
export type ChargedFor = { readonly model: string; readonly usage: TokenUsage };

/** Turns parts into the dialect's stream bytes. */
export type StreamWriter = {
  /** Text for the wire, possibly empty. `finish` yields everything up to and including the end mark. */
  readonly write: (part: StreamPart) => string;
  /** An error after the first byte: the dialect's error event; no clean end mark follows. */
  readonly fail: (error: RelayError, requestId: string) => string;
};

/** One inbound format of the model API. */
export type Dialect = {
  readonly name: WireFormat;
  readonly endpoint?: EndpointRules;
  /** Throws RelayError invalid_request with the wrong field in `param`. `body` is parsed JSON of any shape. */
  readonly parseRequest: (body: unknown, path: PathFacts) => ChatRequest;
  readonly writeResponse: (response: ChatResponse, context: ResponseContext) => unknown;
  readonly newStreamWriter: (context: ResponseContext) => StreamWriter;
  readonly writeError: (error: RelayError, requestId: string) => unknown;
};
