import type { ChatRequest, ChatResponse, Json, StreamPart } from "../chat/chat.ts";
import type { UpstreamFailure } from "../errors/relay-error.ts";

/** The formats that callers and upstreams share; when both sides speak the same one, bytes go through. */
export type WireFormat = "openai-chat" | "anthropic-messages" | "gemini";

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
  /** Headers of the caller that mean something upstream (anthropic-version, anthropic-beta), lower case. */
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
  readonly geminiThinkingAdapter: {
    readonly enabled: boolean;
    readonly budgetShare: number;
    readonly models: readonly string[];
  };
};

/** A request ready to send. `json` is the body before serialisation, so that param_override can change its top level. */
export type UpstreamRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
};

/** A server-sent event, already split and joined. */
export type StreamEvent = { readonly event: string | undefined; readonly data: string };

/** Reads one stream. Throws StreamFailure when the event itself says that the answer failed, or is not of the format. */
export type StreamReader = {
  /** Parts of one event, possibly none. After the end mark `isComplete` is true. */
  readonly read: (event: StreamEvent) => StreamPart[];
  /** Parts still owed once the bytes have ended properly (a `finish` that waited for usage). */
  readonly end: () => StreamPart[];
  /** True once the provider's own end mark was seen: a stream that ends before it was cut. */
  readonly isComplete: () => boolean;
};

/** An error that upstream sent inside a stream, or a frame that cannot be read. */
export class StreamFailure extends Error {
  readonly upstream: UpstreamFailure;
  readonly status: number;

  constructor(upstream: UpstreamFailure, status = 502) {
    super(upstream.message);
    this.name = "StreamFailure";
    this.upstream = upstream;
    this.status = status;
  }
}

/** One upstream API. Pure functions only: transport, timeouts, retries and metering belong to the relay. */
export type Provider = {
  readonly name: string;
  readonly wireFormat: WireFormat;
  /** From the internal form. */
  readonly buildRequest: (request: ChatRequest, target: Target) => UpstreamRequest;
  /** Address and headers alone, for calls whose body goes through untouched. `stream` picks the path where it matters (Gemini). */
  readonly address: (
    target: Target,
    stream: boolean,
  ) => { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /**
   * For same-dialect calls: the caller's body with what this provider needs changed beyond the model's name (a name's suffix that
   * stands for an effort, a field that the model wants under another name). The very same object when nothing has to change, so
   * that the bytes can go through. Absent: never anything. Unknown fields stay.
   */
  readonly adaptBody?: (body: Json, target: Target) => Json;
  /** Throws StreamFailure when a 200 answer holds an error or is not of the format. */
  readonly parseResponse: (body: unknown) => ChatResponse;
  readonly newStreamReader: () => StreamReader;
  /** What a non-2xx answer says; the body is JSON where it parsed, else text. Never echoes keys. */
  readonly parseError: (status: number, body: unknown) => UpstreamFailure;
  /** Where and how to read the account's model list, and the names in the answer. */
  readonly modelList: (target: Target) => { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly parseModelList: (body: unknown) => string[];
  readonly defaultModels: readonly string[];
};
