import { API_VERSION, type RelayCall } from "../../core/call/relay-call.ts";
import type { Admitted } from "../../core/call/caller.ts";
import { getGroup } from "../../core/call/caller.ts";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import type { CommonFields, Dialect, PathValues } from "../../core/call/dialect.ts";
import { toArray } from "../../dialects/gemini-generate/gemini-content.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { estimatePromptTokens, estimateTokens } from "../../accounting/tokens/token-estimate.ts";
import { type CallWatch, watchCall } from "../../core/telemetry/call-metrics.ts";
import { fieldsOf, type Form } from "../../core/call/multipart.ts";

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

/** Validates a Gemini body, whose path names the model and whether to stream. */
function readGeminiFields(body: Json, path: PathValues): CommonFields {
  const contents = toArray(body["contents"]);
  if (!Array.isArray(contents) || contents.length === 0) wrong("contents", "a non-empty array");
  const config = (body["generationConfig"] ?? body["generation_config"] ?? {}) as Json;
  const maxOutputTokens = outputBound({ max_tokens: config["maxOutputTokens"] ?? config["max_output_tokens"] });
  return { ...path, includeUsage: true, maxOutputTokens };
}

/**
 * Validates the fields shared by every dialect of this API; nested fields are validated where they are converted or
 * served.
 */
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

function readFields(dialect: Dialect, body: Json, path: PathValues | undefined): CommonFields {
  if (dialect.endpoint) return dialect.endpoint.readFields(body, path);
  return path ? readGeminiFields(body, path) : readCommonFields(body);
}

function guessPrompt({ endpoint }: Dialect, body: Json, model: string): number {
  if (!endpoint) return estimatePromptTokens(body, model);
  const { text, extraTokens } = endpoint.prompt(body);
  return estimateTokens(text) + extraTokens;
}

/** Parses a call's body; throws invalid_request naming the problem. */
export function readRelayCall(input: {
  requestId: string;
  startedAtMs: number;
  address: string;
  admitted: Admitted;
  dialect: Dialect;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bodyText: string;
  form?: Form;
  /** For routes whose URL names the model. */
  path?: PathValues;
  watch?: CallWatch;
}): RelayCall {
  const body = input.form ? fieldsOf(input.form) : parseObject(input.bodyText);
  const common = readFields(input.dialect, body, input.path);
  let request: ChatRequest | undefined;
  const clientHeaders: Record<string, string> = {};
  for (const name of FORWARDED_HEADERS) {
    const value = input.headers[name];
    if (value !== undefined) clientHeaders[name] = String(value);
  }
  return {
    requestId: input.requestId,
    startedAtMs: input.startedAtMs,
    address: input.address,
    admitted: input.admitted,
    dialect: input.dialect,
    clientHeaders,
    bodyText: input.bodyText,
    body,
    form: input.form,
    ...common,
    group: getGroup(input.admitted),
    estimatePromptTokens: guessPrompt(input.dialect, body, common.model),
    request: () => (request ??= input.dialect.parseRequest(body, common)),
    tried: [],
    firstByteAtMs: undefined,
    content: undefined,
    watch: input.watch ?? watchCall(),
  };
}
