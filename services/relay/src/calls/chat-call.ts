import type { Admitted } from "../admission/admit.ts";
import { groupOf } from "../admission/call-group.ts";
import type { ChatRequest, Json } from "../chat/chat.ts";
import type { CallContent } from "../content-rules/content-rules.ts";
import type { AnswerContext, CommonFields, Dialect, PathFacts } from "../dialects/dialect.ts";
import { asMany } from "../dialects/gemini-generate/gemini-content.ts";
import { RelayError } from "../errors/relay-error.ts";
import { roughPromptTokens, roughTokens } from "../metering/estimate.ts";
import { type CallWatch, watchCall } from "../metrics-calls.ts";
import type { Choice } from "../routing/choose.ts";
import { fieldsOf, type Form } from "./multipart.ts";
import type { RoutedChannel } from "../routing/routing-table.ts";

/** One call of the model API, as far as it is known; `tried` grows with each attempt. */
export type ChatCall = {
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
const FORWARDED_HEADERS = ["anthropic-version", "anthropic-beta", API_VERSION];

function parseObject(text: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new RelayError("invalid_request", "the request body is not valid JSON", { cause });
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new RelayError("invalid_request", "the request body must be a JSON object");
  }
  return parsed as Json;
}

function wrong(param: string, expectation: string): never {
  throw new RelayError("invalid_request", `${param} must be ${expectation}`, { param });
}

const MAX_TOKENS_MAX = 1_073_741_823;

function outputBound(body: Json): number | undefined {
  let bound: number | undefined;
  for (const param of ["max_tokens", "max_completion_tokens"] as const) {
    const value = body[param];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > MAX_TOKENS_MAX) {
      wrong(param, `a whole number from 1 to ${MAX_TOKENS_MAX}`);
    }
    bound = Math.max(bound ?? 0, value);
  }
  return bound;
}

/** The same of a Gemini body, whose path says the model and whether to stream. */
function readGeminiFields(body: Json, path: PathFacts): CommonFields {
  const contents = asMany(body["contents"]);
  if (!Array.isArray(contents) || contents.length === 0) wrong("contents", "a non-empty array");
  const config = (body["generationConfig"] ?? body["generation_config"] ?? {}) as Json;
  const maxOutputTokens = outputBound({ max_tokens: config["maxOutputTokens"] ?? config["max_output_tokens"] });
  return { ...path, includeUsage: true, maxOutputTokens };
}

/** The fields that every dialect of this API shares, checked; what lies deeper is checked by whoever converts or serves it. */
function readCommonFields(body: Json): CommonFields {
  const { model, stream, messages, stream_options: options } = body as Record<string, unknown>;
  if (typeof model !== "string" || model === "") wrong("model", "a non-empty string");
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") wrong("stream", "true or false");
  if (!Array.isArray(messages) || messages.length === 0) wrong("messages", "a non-empty array");
  messages.forEach((message: unknown, index) => {
    if (typeof message !== "object" || message === null || typeof (message as Json)["role"] !== "string") {
      wrong(`messages[${index}]`, "an object with a role");
    }
  });
  const includeUsage = typeof options === "object" && options !== null && (options as Json)["include_usage"] === true;
  return { model, stream: stream === true, includeUsage, maxOutputTokens: outputBound(body) };
}

function readFields(dialect: Dialect, body: Json, path: PathFacts | undefined): CommonFields {
  if (dialect.endpoint) return dialect.endpoint.readFields(body, path);
  return path ? readGeminiFields(body, path) : readCommonFields(body);
}

function guessPrompt({ endpoint }: Dialect, body: Json, model: string): number {
  if (!endpoint) return roughPromptTokens(body, model);
  const { text, extraTokens } = endpoint.prompt(body);
  return roughTokens(text) + extraTokens;
}

/** Reads a call's body; throws invalid_request naming what is wrong. */
export function readChatCall(input: {
  requestId: string;
  startedAtMs: number;
  address: string;
  admitted: Admitted;
  dialect: Dialect;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bodyText: string;
  form?: Form;
  /** Where the address names the model. */
  path?: PathFacts;
  watch?: CallWatch;
}): ChatCall {
  const body = input.form ? fieldsOf(input.form) : parseObject(input.bodyText);
  const common = readFields(input.dialect, body, input.path);
  let request: ChatRequest | undefined;
  const callerHeaders: Record<string, string> = {};
  for (const name of FORWARDED_HEADERS) {
    const value = input.headers[name];
    if (value !== undefined) callerHeaders[name] = String(value);
  }
  return {
    requestId: input.requestId,
    startedAtMs: input.startedAtMs,
    address: input.address,
    admitted: input.admitted,
    dialect: input.dialect,
    callerHeaders,
    bodyText: input.bodyText,
    body,
    form: input.form,
    ...common,
    group: groupOf(input.admitted),
    roughPromptTokens: guessPrompt(input.dialect, body, common.model),
    request: () => (request ??= input.dialect.parseRequest(body, common)),
    tried: [],
    firstByteAtMs: undefined,
    content: undefined,
    watch: input.watch ?? watchCall(),
  };
}

/** The last channel that was tried. */
export const lastChannel = ({ tried }: Pick<ChatCall, "tried">): RoutedChannel | undefined => tried.at(-1)?.channel;

/** What whoever writes the answer is told about its call. */
export const answerContextOf = (call: ChatCall): AnswerContext => ({
  requestId: call.requestId,
  model: call.model,
  includeUsage: call.includeUsage,
  createdAtSeconds: Math.floor(call.startedAtMs / 1000),
  roughPromptTokens: call.roughPromptTokens,
  asked: call.body,
  ...(call.keepOutput ? { keepOutput: call.keepOutput } : {}),
});
