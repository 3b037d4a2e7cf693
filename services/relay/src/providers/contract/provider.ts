import type { ChatRequest, ChatResponse, Json, ReasoningEffort } from "../../core/chat/chat.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import type { FrameSplitter, SentHeaders, StreamReader, WrittenStream } from "../../core/wire/stream.ts";
import type { EndpointFormat, WireFormat } from "../../core/wire/wire-format.ts";
import type { Target } from "./target.ts";

/** A request before serialization. `json` is the body, so that param_override can change its top level. */
export type UpstreamRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
};

/** URL and headers of a call. */
export type Endpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A file that is uploaded before the call that refers to it. */
export type Upload = Endpoint & { readonly body: Buffer };

/** A complete request except for its signature; a GET has an empty body. */
export type UnsignedRequest = Endpoint & { readonly method: "GET" | "POST" | "DELETE"; readonly body: string };

/** A call that exchanges a key for a temporary token. */
export type TokenExchange = Endpoint & {
  readonly body: string;
  /** Throws StreamFailure if the response contains no token. */
  readonly read: (body: unknown) => { readonly token: string; readonly lifetimeSeconds: number };
};

/** A complete 2xx response as received. */
export type ProviderResponse = { readonly headers: SentHeaders; readonly body: Buffer };

/** Operations available to `finish`; all of them fail when the client disconnects. */
export type PostProcessing = {
  /** One more GET, ten seconds at most; undefined if there was no response. */
  readonly request: (place: Endpoint) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  /**
   * Fetches an image that the provider stores at a public URL, as base64. Throws StreamFailure if it is unavailable.
   */
  readonly fetchImage: (url: string) => Promise<string>;
  /**
   * Fetches other files that the provider stores at a public URL, through the channel's proxy. Throws StreamFailure if
   * they are unavailable.
   */
  readonly fetchFile: (url: string) => Promise<Buffer>;
};

/** A response in the endpoint's format. `response` is its parsed content, if the bytes do not contain it. */
export type ProcessedResponse = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly response?: ChatResponse;
};

/** The remaining balance of a provider's account, in the provider's own currency. */
export type Balance = {
  /** All are requested concurrently. */
  readonly places: (target: Target, nowMs: number) => readonly Endpoint[];
  /** Parses the responses in the same order. Throws StreamFailure if they are unreadable. */
  readonly read: (bodies: readonly unknown[]) => number;
};

/** How a call is authenticated, if a key in a header is not enough. */
export type AuthCapability = {
  /** The key must be exchanged for a token first; the relay caches it and passes it as `target.accessToken`. */
  readonly tokenExchange?: (target: Target, nowMs: number) => TokenExchange;
  /** Signs the final request, including the body. */
  readonly sign?: (request: UnsignedRequest, target: Target, nowMs: number) => Endpoint;
};

/** How streams differ from server-sent events that every call may request. */
export type StreamingCapability = {
  /** For streams that are not server-sent events. */
  readonly newFrameSplitter?: () => FrameSplitter;
  /**
   * For streams that are converted to the bytes the caller's body requests; the reader parses the events of its frames.
   */
  readonly convertsStream?: (requested: Json) => WrittenStream;
  /**
   * Upstream never streams: the response is one JSON document, which splitter and reader treat as a stream of one frame
   * (`single-frame-stream.ts`). It has the timeout of a non-streaming response.
   */
  readonly neverStreams?: boolean;
  /** Non-streaming responses are events too: the stream reader parses them. */
  readonly respondsInEvents?: boolean;
  /** False if OpenAI's `stream_options` is not supported: it is not added to pass-through bodies. */
  readonly supportsStreamUsage?: boolean;
};

/** What a request needs besides the adapted JSON body. */
export type RequestCapability = {
  /** System messages within the conversation stay in their place; for others they move to the system prompt. */
  readonly keepsInstructions?: boolean;
  /** Images must be sent as data: upstream does not fetch URLs. */
  readonly requiresInlineImages?: boolean;
  /**
   * For providers that accept no files within a call: the uploads to send first, each by a POST, and the parser of the
   * provider's name for it. `read` throws StreamFailure if there is none.
   */
  readonly uploads?: {
    readonly of: (request: ChatRequest, target: Target) => readonly Upload[];
    readonly read: (body: unknown) => string;
  };
  /**
   * For upstreams whose bodies differ from callers': builds the body from the fields of a form or of JSON; undefined if
   * this model accepts the original. Throws RelayError for unsupported requests.
   */
  readonly writeBody?: (
    fields: Json,
    target: Target,
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer } | undefined;
  /**
   * For upstreams that accept some calls in one form only and refuse others with 400: the body to send in the retry,
   * undefined if the refusal has another reason.
   */
  readonly getFallbackBody?: (refusal: string, sentBody: string) => string | undefined;
};

/** How non-streaming responses differ from JSON that passes through. */
export type ResponseCapability = {
  /** The format equals the caller's only by name: requests are passed through, responses are parsed and re-encoded. */
  readonly rewritesResponses?: boolean;
  /** Non-streaming responses may be plain text; `parseResponse` gets a string if the body is not JSON. */
  readonly returnsText?: boolean;
  /**
   * For endpoints whose responses are bytes: `finish` produces them from the complete response, and nothing is
   * streamed.
   */
  readonly returnsBytesOnly?: boolean;
};

/** What an account reports about itself; a member is absent if the provider has no such endpoint. */
export type AccountCapability = {
  /** URL and headers of the account's model list. */
  readonly modelList?: (target: Target) => Endpoint;
  /** Parses the names in the response of `modelList`. */
  readonly parseModelList?: (body: unknown) => string[];
  readonly balance?: Balance;
};

/** What failures of this provider mean, where that differs from the others. */
export type FailoverCapability = {
  /** Refusals with 400 differ between accounts: another channel may accept the call. */
  readonly retriesBadRequest?: boolean;
  /** 403 means that the key is unusable, not that the call is forbidden. */
  readonly forbiddenMeansBadKey?: boolean;
};

/** What a call needs that some models offer in one of their formats only. */
export type CallNeeds = {
  readonly hasTools: boolean;
  /** The requested effort; undefined for the model's own. */
  readonly effort: ReasoningEffort | undefined;
};

/**
 * One upstream API. Pure functions only: transport, timeouts, retries and metering belong to the relay. Capabilities are
 * for the few providers that need more than one HTTP exchange with a key in a header; they cost the others nothing.
 */
export type Provider = {
  readonly name: string;
  readonly wireFormat: WireFormat;
  /**
   * For accounts that serve several formats: the provider for this upstream model, or for a call of it. Throws RelayError
   * for other models.
   */
  readonly forModel?: (model: string, getNeeds?: () => CallNeeds) => Provider;
  /** Builds the request from the internal form. */
  readonly buildRequest: (request: ChatRequest, target: Target) => UpstreamRequest;
  /**
   * URL and headers only, for pass-through calls. `stream` selects the path where that matters (Gemini), as does the
   * caller's body (Gemini's embeddings).
   */
  readonly address: (target: Target, stream: boolean, body?: Json) => Endpoint;
  /**
   * For same-dialect calls: the caller's body with this provider's changes besides the model's name (a name suffix that
   * means an effort, a field with another name). Returns the same object if nothing has to change, so that the bytes
   * can be passed through. Absent: never a change. Unknown fields stay.
   */
  readonly adaptBody?: (body: Json, target: Target) => Json;
  /** Throws StreamFailure if a 200 response contains an error or is not in the expected format. */
  readonly parseResponse: (body: unknown) => ChatResponse;
  readonly newStreamReader: () => StreamReader;
  /**
   * Converts a non-streaming response to the endpoint's format if it differs: raw bytes, or the result of a task that
   * must be polled. `body` is the caller's. Throws StreamFailure if the response reports a failure or the task failed.
   * `parseResponse` parses the result.
   */
  readonly finish?: (
    response: ProviderResponse,
    requested: { readonly body: Json; readonly target: Target },
    postProcessing: PostProcessing,
  ) => ProcessedResponse | Promise<ProcessedResponse>;
  /** Parses a non-2xx response; the body is parsed JSON if valid, else text. Never includes keys. */
  readonly parseError: (status: number, body: unknown, headers?: SentHeaders) => UpstreamFailure;
  /** The non-chat endpoints of this upstream, each as a provider of its own format. */
  readonly endpoints?: EndpointProviders;
  /** URL (ws: or wss:) and headers of Realtime sessions; absent if the provider has none. */
  readonly realtime?: (target: Target) => Endpoint;
  readonly auth?: AuthCapability;
  readonly streaming?: StreamingCapability;
  readonly requests?: RequestCapability;
  readonly responses?: ResponseCapability;
  readonly account?: AccountCapability;
  readonly failover?: FailoverCapability;
};

export type EndpointProviders = Readonly<Partial<Record<EndpointFormat, Provider>>>;
