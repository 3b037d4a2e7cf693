import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Json } from "../../core/chat/chat.ts";
import type { WrittenStream } from "../../core/wire/stream.ts";
import type {
  PostProcessing,
  ProcessedResponse,
  Provider,
  ProviderResponse,
} from "../../providers/contract/provider.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { OutgoingRequest } from "../../upstream/upstream-call.ts";
import type { ReasoningFields } from "./reasoning-fields.ts";

/** The request of one attempt, and how its response is read. */
export type Prepared = {
  readonly provider: Provider;
  /** Caller and upstream use the same format: responses are passed through byte by byte. */
  readonly passThrough: boolean;
  readonly request: OutgoingRequest;
  /** The provider's post-processing; only a few providers have one. */
  readonly finish?: (
    response: ProviderResponse,
    postProcessing: PostProcessing,
  ) => ProcessedResponse | Promise<ProcessedResponse>;
  /** The stream encoder for the format the caller requested, if upstream's format differs. */
  readonly written?: WrittenStream;
  /** A stream generated here from upstream's non-streaming response. */
  readonly isSynthesizedStream?: boolean;
};

export type PhaseTimeouts = { readonly firstByteMs: number; readonly idleMs: number; readonly nonStreamingMs: number };

/**
 * The input of an attempt besides the call and its channel. `accessToken` is for providers that exchange the key for
 * one, `uploaded` for providers that received files first.
 */
export type PrepareContext = {
  readonly options: OptionsInForce;
  readonly timeouts: PhaseTimeouts;
  readonly nowMs: number;
  readonly accessToken: string | undefined;
  readonly uploaded?: readonly string[] | undefined;
  readonly reasoningFields?: ReasoningFields;
};

/** The provider's post-processing of the first response, if it has one. */
export function getPostProcessing({ finish }: Provider, body: Json, target: Target): Pick<Prepared, "finish"> {
  return finish ? { finish: (response, postProcessing) => finish(response, { body, target }, postProcessing) } : {};
}

/** The request with the provider's signature, if it signs requests. */
export function signed(
  provider: Provider,
  request: OutgoingRequest & { readonly body: string },
  target: Target,
  nowMs: number,
): OutgoingRequest {
  const { auth } = provider;
  return auth?.sign ? { ...request, ...auth.sign(request, target, nowMs) } : request;
}
