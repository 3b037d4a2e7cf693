import { API_VERSION, type RelayCall } from "../../core/call/relay-call.ts";
import type { Admitted } from "../../core/call/caller.ts";
import { getGroup } from "../../core/call/caller.ts";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import type { Dialect, PathValues } from "../../core/call/dialect.ts";
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

function estimatePrompt({ endpoint }: Dialect, body: Json, model: string): number {
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
  const common = input.dialect.readFields(body, input.path);
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
    estimatePromptTokens: estimatePrompt(input.dialect, body, common.model),
    request: () => (request ??= input.dialect.parseRequest(body, common)),
    tried: [],
    firstByteAtMs: undefined,
    content: undefined,
    watch: input.watch ?? watchCall(),
  };
}
