import type { ChatRequest, Json } from "../chat/chat.ts";
import type { CallWatch } from "../telemetry/call-metrics.ts";
import type { CallContent } from "./call-content.ts";
import type { Admitted } from "./caller.ts";
import type { Choice, RoutedChannel } from "./channel.ts";
import type { ResponseContext, Dialect } from "./dialect.ts";
import type { Form } from "./multipart.ts";
import type { ResponseSeal } from "./response-seal.ts";

/** The ceiling of a call's charge, and the completion tokens that fit below it after the prompt. */
export type ChargeLimit = { readonly quota: number; readonly completionTokens: number };

/** How a call came to its model, where aliases or fallback models apply. */
export type ModelRoute = {
  readonly requestedModel: string;
  /** Attempts with the models before this one. */
  readonly earlierAttempts: number;
  /** Whether another model is tried after this error. */
  readonly isRetried: (error: unknown) => boolean;
};

/** One call of the model API and what is known about it so far; `tried` grows with each attempt. */
export type RelayCall = {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly dialect: Dialect;
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** The agent session that the call belongs to, if its headers name one. */
  readonly sessionId?: string;
  /** Calls of one user with the same key run once. */
  readonly idempotencyKey?: string;
  /** The body as it was received, by which calls with an idempotency key are compared: `bodyText` lacks the gateway's own fields. */
  readonly receivedText?: string;
  readonly bodyText: string;
  readonly body: Json;
  /** The original body if it is a multipart form; `body` then holds its fields. */
  readonly form: Form | undefined;
  readonly model: string;
  /** The models that the request names as fallbacks; undefined if it leaves them to the site. */
  readonly fallbackModels?: readonly string[];
  /** Absent for most calls. */
  readonly route?: ModelRoute;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** The caller requested the charge in the response's usage (`usage: {include: true}`). */
  readonly includeCharge: boolean;
  readonly maxOutputTokens: number | undefined;
  /** The caller's upper bound of the charge, in dollars. */
  readonly maxDollars?: number;
  /** The same in quota, and how many completion tokens it buys. */
  readonly chargeLimit?: ChargeLimit;
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
  /** Resolves once the written response is stored, or after a while: its client may refer to it once it has seen the end. */
  readonly untilStored?: () => Promise<void>;
  /** Seals the summary of a conversation for the caller; absent for calls that refer to no items. */
  readonly sealSummary?: (summary: string) => string;
  /** Seals the state that an attempt's account mints; absent for calls whose responses hold none. */
  readonly sealing?: (choice: Choice) => ResponseSeal;
  /** Records sealed responses on their way to the client; absent where nothing is recorded. */
  readonly recordSealed?: (seal: ResponseSeal) => ResponseSeal;
  /** Only one account can serve the call: it keeps what the call refers to. */
  readonly isBound?: boolean;
  /** Chat serves the call, since the server of its channel does not have the endpoint. */
  isOverChat?: boolean;
  /** The tokens of the response that the call continues, which the provider stores; absent for most calls. */
  readonly readContextTokens?: () => Promise<number>;
  /** Whether this relay still owns the call; absent for calls that no other relay takes over. */
  readonly mayCharge?: () => Promise<boolean>;
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
  requested: call.body,
  ...(call.storeOutput ? { storeOutput: call.storeOutput } : {}),
  ...(call.sealSummary ? { sealSummary: call.sealSummary } : {}),
});
