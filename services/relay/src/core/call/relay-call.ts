import type { ChatRequest, Json } from "../chat/chat.ts";
import type { CallWatch } from "../telemetry/call-metrics.ts";
import type { CallContent } from "./call-content.ts";
import type { Admitted } from "./caller.ts";
import type { Choice, RoutedChannel } from "./channel.ts";
import type { ResponseContext, Dialect } from "./dialect.ts";
import type { Form } from "./multipart.ts";

/** One call of the model API and what is known about it so far; `tried` grows with each attempt. */
export type RelayCall = {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly dialect: Dialect;
  readonly clientHeaders: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly body: Json;
  /** The original body if it is a multipart form; `body` then holds its fields. */
  readonly form: Form | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxOutputTokens: number | undefined;
  readonly group: string;
  readonly estimatePromptTokens: number;
  /** The internal representation; parsed on first use, since pass-through calls do not need it. */
  readonly request: () => ChatRequest;
  readonly tried: Choice[];
  firstByteAtMs: number | undefined;
  /** Content checks and logging for this call; undefined for most calls. */
  content: CallContent | undefined;
  /** Stores the response items for later calls that refer to them; absent for most calls. */
  readonly storeOutput?: (output: readonly Json[]) => void;
  /** Values for the call's metrics. */
  readonly watch: CallWatch;
};

/** The API version named in the URL, kept with the headers that carry the same information. */
export const API_VERSION = "api-version";

/** The channel of the last attempt. */
export const getLastChannel = ({ tried }: Pick<RelayCall, "tried">): RoutedChannel | undefined => tried.at(-1)?.channel;

/** The context of the call that response writers need. */
export const getResponseContext = (call: RelayCall): ResponseContext => ({
  requestId: call.requestId,
  model: call.model,
  includeUsage: call.includeUsage,
  createdAtSeconds: Math.floor(call.startedAtMs / 1000),
  estimatePromptTokens: call.estimatePromptTokens,
  asked: call.body,
  ...(call.storeOutput ? { storeOutput: call.storeOutput } : {}),
});
