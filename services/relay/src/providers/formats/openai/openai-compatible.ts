import type { Json, ReportedUsage } from "../../../core/chat/chat.ts";
import type { StreamFailure } from "../../../core/wire/stream.ts";
import type { Balance, EndpointProviders, Provider } from "../../contract/provider.ts";
import type { Target } from "../../contract/target.ts";
import type { BodyRule } from "../../shared/body-rules.ts";
import type { CacheBreakpoints, ReasoningReturn } from "./message-form.ts";

/** The non-chat endpoints of OpenAI's format, and their paths relative to the chat path. */
export const OPENAI_ENDPOINT_PATHS = {
  "openai-embeddings": "/embeddings",
  "openai-completions": "/completions",
  "openai-moderations": "/moderations",
  "openai-images": "/images/generations",
  "openai-image-edits": "/images/edits",
  "openai-speech": "/audio/speech",
  "openai-transcriptions": "/audio/transcriptions",
  "openai-translations": "/audio/translations",
  "openai-responses": "/responses",
  "openai-compact": "/responses/compact",
  rerank: "/rerank",
} as const;

/** A non-chat endpoint of OpenAI's format. */
export type OpenAiEndpoint = keyof typeof OPENAI_ENDPOINT_PATHS;

/** How one endpoint of a provider differs from OpenAI's. */
export type EndpointDifferences = Pick<Provider, "adaptBody" | "finish"> & {
  /** Relative to the chat path; a path below `/beta/` replaces the version as well. */
  readonly path?: string;
};

/** How an OpenAI-compatible provider differs from OpenAI. */
export type OpenAiCompatible = {
  /** The channel type's number. */
  readonly type: number;
  readonly name: string;
  /** Scheme and host (and the path before the version) if the channel has no base URL. */
  readonly baseUrl: string;
  /** Appended to the base URL without repeating its ending. A function returns the whole URL. */
  readonly chatPath: string | ((target: Target, baseUrl: string) => string);
  /** The path of the model list; undefined if there is none. */
  readonly modelsPath: string | ((target: Target, baseUrl: string) => string) | undefined;
  /** The channel's base URL is the whole URL of the chat call, with `{model}` as a placeholder for the model. */
  readonly isWholeUrl: boolean;
  /** Supports `stream_options.include_usage`. */
  readonly supportsStreamUsage: boolean;
  /** The key is sent in the header `api-key` instead of `authorization`. */
  readonly hasApiKeyHeader?: boolean;
  /** Headers besides the key, computed per channel. */
  readonly headers?: (target: Target) => Readonly<Record<string, string>>;
  /** The provider's changes to the body. */
  readonly rules?: BodyRule;
  /** Takes reasoning back, whatever the model; in OpenRouter's `reasoning_details` if "details". */
  readonly returnsReasoning?: ReasoningReturn | "details";
  /** Takes Anthropic's cache breakpoints, which most providers do not know. */
  readonly cacheBreakpoints?: CacheBreakpoints;
  /** A stream is complete once a finish reason was seen: `[DONE]` is not guaranteed. */
  readonly endsAtFinish?: boolean;
  /** `[DONE]` is guaranteed: a stream without it was cut, even after its usage. */
  readonly alwaysSendsDone?: boolean;
  readonly readUsage?: (usage: unknown) => ReportedUsage;
  /** Detects a provider-specific failure inside a 200 response. */
  readonly failureInside?: (body: Json) => StreamFailure | undefined;
  /** For all models, or for those with matching names. */
  readonly rewritesResponses?: true | RegExp;
  readonly requiresInlineImages?: boolean;
  /** Responses lack the `object` field: it is added for callers of the same format. */
  readonly addsObjectField?: boolean;
  readonly parseError?: Provider["parseError"];
  /** The non-chat endpoints in OpenAI's format; absent if there are none. */
  readonly endpoints?: readonly OpenAiEndpoint[];
  /** How some of these endpoints differ from OpenAI's. The changes to embeddings apply to Google callers as well. */
  readonly endpointDifferences?: Readonly<Partial<Record<OpenAiEndpoint, EndpointDifferences>>>;
  /** Endpoints for OpenAI callers with another format upstream; they replace those of the same name. */
  readonly ownEndpoints?: (row: OpenAiCompatible) => EndpointProviders;
  readonly parseModels?: (body: unknown) => string[];
  readonly balance?: Balance;
  /** The URL of Realtime sessions with an http scheme; absent if there are none. */
  readonly realtime?: (target: Target, baseUrl: string) => string;
};
