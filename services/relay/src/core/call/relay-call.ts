import type { ChatRequest, Json } from "../chat/chat.ts";
import type { CallWatch } from "../telemetry/call-metrics.ts";
import type { CallContent } from "./call-content.ts";
import type { Admitted } from "./caller.ts";
import type { Choice, RoutedChannel } from "./channel.ts";
import type { ResponseContext, Dialect } from "./dialect.ts";
import type { Form } from "./multipart.ts";

/** One call of the model API, as far as it is known; `tried` grows with each attempt. */
export type RelayCall = {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly dialect: Dialect;
  readonly callerHeaders: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly body: Json;
  /** The body as it came, where it is a multipart form; `body` then holds its fields. */
  readonly form: Form | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxOutputTokens: number | undefined;
  readonly group: string;
  readonly roughPromptTokens: number;
  /** The internal form; parsed at the first use, since calls that pass through never need it. */
  readonly request: () => ChatRequest;
  readonly tried: Choice[];
  firstByteAtMs: number | undefined;
  /** What is done with its content beside serving it; undefined for nearly every call. */
  content: CallContent | undefined;
  /** Keeps what a response said, for calls that will refer to it; absent for nearly every call. */
  readonly keepOutput?: (output: readonly Json[]) => void;
  /** What its metrics need to know. */
  readonly watch: CallWatch;
};

/** The version of the API that the address named, kept beside the headers that say such things. */
export const API_VERSION = "api-version";

/** The last channel that was tried. */
export const getLastChannel = ({ tried }: Pick<RelayCall, "tried">): RoutedChannel | undefined => tried.at(-1)?.channel;

/** What whoever writes the answer is told about its call. */
export const getResponseContext = (call: RelayCall): ResponseContext => ({
  requestId: call.requestId,
  model: call.model,
  includeUsage: call.includeUsage,
  createdAtSeconds: Math.floor(call.startedAtMs / 1000),
  roughPromptTokens: call.roughPromptTokens,
  asked: call.body,
  ...(call.keepOutput ? { keepOutput: call.keepOutput } : {}),
});
