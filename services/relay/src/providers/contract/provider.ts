import type { ChatRequest, ChatResponse, Json } from "../../core/chat/chat.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import type { FrameSplitter, SentHeaders, StreamReader, WrittenStream } from "../../core/wire/stream.ts";
import type { EndpointFormat, WireFormat } from "../../core/wire/wire-format.ts";

/** Where a call goes: one key of one channel, and the model's name there. */
export type Target = {
  readonly channelType: number;
  /** Without a trailing slash; empty for the provider's own address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly organization: string;
  /** The channel's `other` field: an API version and the like. */
  readonly other: string;
  /** What the provider's token exchange gave for this key. */
  readonly accessToken?: string;
  /** What the files that had to be sent first are called there, in the order of `uploads`. */
  readonly uploaded?: readonly string[];
  /** The way there, where it is not direct. */
  readonly proxy?: string;
  /** Headers of the caller that mean something upstream (anthropic-version, anthropic-beta; api-version from the query), lower case. */
  readonly callerHeaders: Readonly<Record<string, string>>;
  readonly settings: ProviderSettings;
};

/** Options of the site that change what is sent. */
export type ProviderSettings = {
  readonly claudeDefaultMaxTokens: Readonly<Record<string, number>>;
  readonly claudeModelHeaders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly claudeThinkingAdapter: { readonly enabled: boolean; readonly budgetShare: number };
  readonly geminiSafetySettings: Readonly<Record<string, string>>;
  readonly geminiVersionSettings: Readonly<Record<string, string>>;
  /** Models that answer with pictures, beside those whose names say so. */
  readonly geminiImageModels: readonly string[];
  readonly geminiThinkingAdapter: {
    readonly enabled: boolean;
    readonly budgetShare: number;
    readonly models: readonly string[];
  };
  /** This site's own address, empty where the admin set none: some providers want to know who calls. */
  readonly siteAddress: string;
};

/** A request ready to send. `json` is the body before serialisation, so that param_override can change its top level. */
export type UpstreamRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
};

/** Address and headers of a call. */
export type Place = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A file that is sent before the call that speaks of it. */
export type Upload = Place & { readonly body: Buffer };

/** A request as it will be sent but for its signature; a GET has an empty body. */
export type UnsignedRequest = Place & { readonly method: "GET" | "POST"; readonly body: string };

/** A call by which a key is traded for a token that lasts a while. */
export type TokenExchange = Place & {
  readonly body: string;
  /** Throws StreamFailure when the answer holds no token. */
  readonly read: (body: unknown) => { readonly token: string; readonly lifetimeSeconds: number };
};

/** A whole answer of 2xx, as it came. */
export type SentAnswer = { readonly headers: SentHeaders; readonly body: Buffer };

/** What `finish` may do beside reading; all of it ends with an error when the caller leaves. */
export type PostProcessing = {
  /** One more GET, ten seconds at most; undefined where no answer came. */
  readonly ask: (place: Place) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  /** A picture that the provider keeps at a public address, in base64. Throws StreamFailure where it cannot be had. */
  readonly fetchImage: (url: string) => Promise<string>;
  /** What else the provider keeps at a public address, the way of the channel. Throws StreamFailure where it cannot be had. */
  readonly fetchFile: (url: string) => Promise<Buffer>;
};

/** An answer in the format of the endpoint. `response` is what counts of it, where its bytes do not say. */
export type FinishedAnswer = { readonly body: Buffer; readonly contentType: string; readonly response?: ChatResponse };

/** What a provider's account still holds, in the provider's own currency. */
export type Balance = {
  /** All are asked at once. */
  readonly places: (target: Target, nowMs: number) => readonly Place[];
  /** From the answers in the same order. Throws StreamFailure when they cannot be read. */
  readonly read: (bodies: readonly unknown[]) => number;
};

/**
 * One upstream API. Pure functions only: transport, timeouts, retries and metering belong to the relay. What is optional is for the
 * few providers that need more than one HTTP exchange with a key in a header; the others pay nothing for it.
 */
export type Provider = {
  readonly name: string;
  readonly wireFormat: WireFormat;
  /** For accounts behind which several formats stand: the provider of this upstream model. Throws RelayError for other models. */
  readonly forModel?: (model: string) => Provider;
  /** From the internal form. */
  readonly buildRequest: (request: ChatRequest, target: Target) => UpstreamRequest;
  /**
   * Address and headers alone, for calls whose body goes through untouched. `stream` picks the path where it matters (Gemini), and so
   * may the caller's body (Gemini's embeddings).
   */
  readonly address: (target: Target, stream: boolean, body?: Json) => Place;
  /**
   * For same-dialect calls: the caller's body with what this provider needs changed beyond the model's name (a name's suffix that
   * stands for an effort, a field that the model wants under another name). The very same object when nothing has to change, so
   * that the bytes can go through. Absent: never anything. Unknown fields stay.
   */
  readonly adaptBody?: (body: Json, target: Target) => Json;
  /** False where OpenAI's `stream_options` is unknown: it is not added to bodies that go through. */
  readonly asksUsage?: boolean;
  /** Pictures must be sent as data: nothing upstream fetches them. */
  readonly inlinesImages?: boolean;
  /** The format is the caller's by name only: requests go through, answers are read and written anew. */
  readonly rewritesAnswers?: boolean;
  /** The key must be traded for a token first; the relay keeps it and gives it as `target.accessToken`. */
  readonly tokenExchange?: (target: Target, nowMs: number) => TokenExchange;
  /**
   * For providers that take no files within a call: what is sent first, each by a POST, and its name there, read from the answer.
   * `read` throws StreamFailure where there is none.
   */
  readonly uploads?: {
    readonly of: (request: ChatRequest, target: Target) => readonly Upload[];
    readonly read: (body: unknown) => string;
  };
  /** Signs what is about to be sent, the final body included. */
  readonly sign?: (request: UnsignedRequest, target: Target, nowMs: number) => Place;
  /** For streams that are not server-sent events. */
  readonly newFrameSplitter?: () => FrameSplitter;
  /** Address (ws: or wss:) and headers of live conversations; absent where the provider has none. */
  readonly realtime?: (target: Target) => Place;
  /** For streams that are made into what the caller's body asks for, bytes of some kind; the reader reads the events of its frames. */
  readonly writesStream?: (asked: Json) => WrittenStream;
  /** The endpoints beside chat that this upstream has, each as a provider of its own format. */
  readonly endpoints?: EndpointProviders;
  /**
   * Streams are never sent: the answer is one JSON document, which the splitter and the reader take as a stream of one frame
   * (`whole-stream.ts`). It may take as long as a whole answer.
   */
  readonly answersWhole?: boolean;
  /** Whole answers may be plain text; `parseResponse` gets what is no JSON as a string. */
  readonly answersText?: boolean;
  /** Whole answers come as events too: they are read by the stream reader. */
  readonly answersInEvents?: boolean;
  /**
   * For upstreams that take some calls in one form only and say so by a 400: the body to send once more, undefined where the refusal
   * is about something else.
   */
  readonly askOtherwise?: (refusal: string, sentBody: string) => string | undefined;
  /**
   * Makes the endpoint's format of a whole answer that comes otherwise: in bytes, or at the end of a task that must be asked after.
   * `body` is the caller's. Throws StreamFailure when the answer tells of a failure or the task failed. `parseResponse` reads what it gives.
   */
  readonly finish?: (
    answer: SentAnswer,
    asked: { readonly body: Json; readonly target: Target },
    postProcessing: PostProcessing,
  ) => FinishedAnswer | Promise<FinishedAnswer>;
  /** For endpoints whose answers are bytes: `finish` makes them of the whole answer, and nothing is streamed. */
  readonly makesBytes?: boolean;
  /**
   * For upstreams whose bodies are of another kind than callers': what is sent of the fields of a form or of JSON; undefined where
   * this model takes what came. Throws RelayError for what it cannot do.
   */
  readonly writeBody?: (
    fields: Json,
    target: Target,
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer } | undefined;
  /** Throws StreamFailure when a 200 answer holds an error or is not of the format. */
  readonly parseResponse: (body: unknown) => ChatResponse;
  readonly newStreamReader: () => StreamReader;
  /** What a non-2xx answer says; the body is JSON where it parsed, else text. Never echoes keys. */
  readonly parseError: (status: number, body: unknown, headers?: SentHeaders) => UpstreamFailure;
  /** Where and how to read the account's model list, and the names in the answer; absent where the provider has no such call. */
  readonly modelList?: (target: Target) => Place;
  readonly parseModelList?: (body: unknown) => string[];
  readonly balance?: Balance;
  readonly defaultModels: readonly string[];
};

export type EndpointProviders = Readonly<Partial<Record<EndpointFormat, Provider>>>;
