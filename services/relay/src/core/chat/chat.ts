import type { TokenUsage } from "@turnpike/contract/pricing/quota";

/** One JSON object as somebody else sent it. */
export type Json = Readonly<Record<string, unknown>>;

export type ImageSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "base64"; readonly mediaType: string; readonly data: string };

/** A piece of a message. Tool results stand in user messages, tool calls and reasoning in assistant ones. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string; readonly cacheControl?: Json }
  | { readonly type: "image"; readonly source: ImageSource; readonly detail?: string; readonly cacheControl?: Json }
  | { readonly type: "audio"; readonly format: string; readonly data: string }
  | {
      readonly type: "file";
      readonly name: string;
      readonly mediaType: string;
      readonly data: string;
      readonly cacheControl?: Json;
    }
  | { readonly type: "reasoning"; readonly text: string; readonly signature?: string }
  | { readonly type: "redacted-reasoning"; readonly data: string }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly argumentsText: string;
      readonly signature?: string;
    }
  | {
      readonly type: "tool-result";
      readonly id: string;
      /** Name of the tool, where the dialect tells or an earlier call of the same id does. */
      readonly name?: string;
      readonly parts: readonly ContentPart[];
      readonly isError?: boolean;
      readonly cacheControl?: Json;
    };

export type ChatMessage = { readonly role: "user" | "assistant"; readonly parts: readonly ContentPart[] };

export type ChatTool = {
  readonly name: string;
  readonly description?: string;
  /** JSON schema. */
  readonly parameters: Json;
  readonly strict?: boolean;
  readonly cacheControl?: Json;
};

export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  | { readonly type: "tool"; readonly name: string };

export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
      readonly type: "json-schema";
      readonly name: string;
      readonly schema: Json;
      readonly strict?: boolean;
      readonly description?: string;
    };

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** The provider is to look things up on the web by itself where the question needs it. */
export type WebSearch = {
  /** How much may be read for an answer. */
  readonly contextSize: "low" | "medium" | "high";
  readonly userLocation?: {
    readonly city?: string;
    readonly region?: string;
    readonly country?: string;
    readonly timezone?: string;
  };
};

/** A page that a stretch of the answer's text rests on; places count characters of all text of the answer, thoughts left out. */
export type Citation = {
  readonly url: string;
  readonly title: string;
  readonly startIndex: number;
  readonly endIndex: number;
};

/** A chat call in no dialect: every inbound dialect parses to it, every provider builds from it. Absent means: not said. */
export type ChatRequest = {
  /** As the caller wrote it. */
  readonly model: string;
  readonly system: readonly ContentPart[];
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  /** True when an OpenAI caller asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly candidateCount?: number;
  readonly tools?: readonly ChatTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly webSearch?: WebSearch;
  readonly responseFormat?: ResponseFormat;
  /** Thinking: an effort (OpenAI's word) or a token budget (Anthropic's, Gemini's); "none" or 0 switches it off; empty: on, as deep as the model likes. */
  readonly reasoning?: { readonly effort?: ReasoningEffort; readonly budgetTokens?: number };
  readonly user?: string;
  /** What OpenAI's callers say to OpenAI's own models alone, under the names of its chat API; the rest of providers leave it out. */
  readonly openAi?: Json;
};

export type FinishReason = "stop" | "stop-sequence" | "length" | "tool-calls" | "content-filter" | "other";

/** Tokens as a provider told them, in the meaning of the contract's TokenUsage; undefined where it said nothing at all. */
export type ReportedUsage = TokenUsage | undefined;

export type ChatResponse = {
  readonly id: string;
  /** The model's name as upstream gave it. */
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly parts: readonly ContentPart[];
  readonly citations?: readonly Citation[];
  readonly finishReason: FinishReason;
  readonly stopSequence?: string;
  readonly usage: ReportedUsage;
};

/**
 * A step of a streamed answer. `start` comes once and first, `finish` once and last (after all usage is known); indexes of tool
 * calls start at 0. `usage` may come at any time; figures are cumulative.
 */
export type StreamPart =
  | { readonly type: "start"; readonly id: string; readonly model: string; readonly usage?: TokenUsage }
  | { readonly type: "text-delta"; readonly text: string }
  /** A picture (or what else is no text) that the model made, in base64; it comes whole. */
  | { readonly type: "media"; readonly mediaType: string; readonly data: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "reasoning-signature"; readonly signature: string }
  | { readonly type: "redacted-reasoning"; readonly data: string }
  | {
      readonly type: "tool-call-start";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
    }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly argumentsText: string }
  | {
      readonly type: "finish";
      readonly reason: FinishReason;
      readonly stopSequence?: string;
      readonly citations?: readonly Citation[];
      readonly usage: ReportedUsage;
    };
