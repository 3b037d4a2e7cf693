import type { TokenUsage } from "@turnpike/contract/pricing/quota";

/** A JSON object received from outside. */
export type Json = Readonly<Record<string, unknown>>;

export type ImageSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "base64"; readonly mediaType: string; readonly data: string };

/** A part of a message. Tool results are in user messages, tool calls and reasoning in assistant messages. */
export type ContentPart =
  | {
      readonly type: "text";
      readonly text: string;
      readonly cacheControl?: Json;
      /** A system message within the conversation, where its role has no other place. */
      readonly isInstruction?: true;
      /** Why the model, or its provider, refuses to respond, in its own words. */
      readonly isRefusal?: true;
    }
  | {
      readonly type: "image";
      readonly source: ImageSource;
      readonly detail?: string;
      readonly cacheControl?: Json;
      /** A tool of the provider made it, whose call is charged: it is none of the model's tokens. */
      readonly isOfTool?: true;
    }
  | { readonly type: "audio"; readonly format: string; readonly data: string }
  | {
      readonly type: "file";
      readonly name: string;
      readonly mediaType: string;
      readonly data: string;
      readonly cacheControl?: Json;
    }
  /** A document that the provider is to fetch. */
  | {
      readonly type: "file-url";
      readonly name?: string;
      readonly mediaType: string;
      readonly url: string;
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
      /** The tool's name, if the dialect carries it or an earlier call with the same id does. */
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
  /** The custom tool, without its name, for which the function stands: a provider that has such tools gets it as it is. */
  readonly custom?: { readonly description?: string; readonly grammar?: Json };
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

/** What a provider offers at a price of its own: slower and cheaper, or faster and more expensive. */
export type ServiceTier = "standard" | "flex" | "priority";

/** The provider runs web searches itself where the question needs them. */
export type WebSearch = {
  /** How much search context the model may read. */
  readonly contextSize: "low" | "medium" | "high";
  readonly userLocation?: {
    readonly city?: string;
    readonly region?: string;
    readonly country?: string;
    readonly timezone?: string;
  };
};

/**
 * A page cited for a range of the response's text; offsets count characters of all text of the response, excluding
 * reasoning.
 */
export type Citation = {
  readonly url: string;
  readonly title: string;
  readonly startIndex: number;
  readonly endIndex: number;
};

/**
 * A chat call independent of any dialect: every inbound dialect parses to it, every provider builds from it. An absent
 * field was not sent.
 */
export type ChatRequest = {
  /** The original JSON of the caller. */
  readonly model: string;
  readonly system: readonly ContentPart[];
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  /** True if an OpenAI caller requested the usage chunk. */
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
  /**
   * Reasoning: an effort (OpenAI's term) or a token budget (Anthropic's and Gemini's); "none" or 0 disables it; empty
   * means enabled at the model's own depth.
   */
  readonly reasoning?: { readonly effort?: ReasoningEffort; readonly budgetTokens?: number };
  readonly user?: string;
  /** The tier of the provider's that is to serve the call, where the dialect names one that others know, too. */
  readonly serviceTier?: ServiceTier;
  /** Fields that only OpenAI's own models accept, under their chat API names; other providers omit them. */
  readonly openAi?: Json;
};

/**
 * Why a response ended. `refusal`: the model declined in its own words; `paused`: the model would go on if the caller sent the response back; `failed`: the provider could
 * not use what the model wrote; `other`: a reason that is unknown, or an interruption: the response may be incomplete.
 */
export type FinishReason =
  | "stop"
  | "stop-sequence"
  | "length"
  | "tool-calls"
  | "content-filter"
  | "refusal"
  | "paused"
  | "failed"
  | "other";

/**
 * Token usage as reported by a provider, with the meaning of the contract's TokenUsage; undefined if none was reported.
 */
export type ReportedUsage = TokenUsage | undefined;

export type ChatResponse = {
  readonly id: string;
  /** The model's name as reported by upstream. */
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly parts: readonly ContentPart[];
  readonly citations?: readonly Citation[];
  readonly finishReason: FinishReason;
  /** The provider's own reason and its explanation, where `finishReason` is `failed` or `other`. */
  readonly finishDetail?: string;
  readonly stopSequence?: string;
  readonly usage: ReportedUsage;
  /** Generated text that converted responses have no place for; see the stream's `other-output`. */
  readonly otherOutput?: string;
};

/**
 * An event of a streaming response. `start` is the first event and occurs once, `finish` is the last and occurs once
 * (after all usage is known); indexes of tool calls start at 0. `usage` may occur at any time; its numbers are
 * cumulative.
 */
export type StreamPart =
  | { readonly type: "start"; readonly id: string; readonly model: string; readonly usage?: TokenUsage }
  | { readonly type: "text-delta"; readonly text: string; readonly isRefusal?: true }
  /** Generated text that converted responses have no place for, such as that of a second choice: it is charged alone. */
  | { readonly type: "other-output"; readonly text: string }
  /** Generated media (an image, for example) in base64, in one piece; `isOfTool` as for a part. */
  | { readonly type: "media"; readonly mediaType: string; readonly data: string; readonly isOfTool?: true }
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
      /** The provider's own reason and its explanation, where `reason` is `failed` or `other`. */
      readonly detail?: string;
      readonly stopSequence?: string;
      readonly citations?: readonly Citation[];
      readonly usage: ReportedUsage;
    };
