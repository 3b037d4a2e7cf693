import { MODEL_NAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { toCallBody } from "../../../core/call/call-body.ts";
import { API_VERSION, type RelayCall } from "../../../core/call/relay-call.ts";
import type { Admitted } from "../../../core/call/caller.ts";
import { getGroup } from "../../../core/call/caller.ts";
import { checkBodyKeys, checkRequestKeys, isKnownKey } from "../../../core/chat/request-keys.ts";
import type { Json } from "../../../core/chat/chat.ts";
import { readExactJson } from "../../../core/chat/exact-json.ts";
import { asObject } from "../../../core/chat/json.ts";
import type { Dialect, PathValues } from "../../../core/call/dialect.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import { estimatePromptTokens, estimateTokens } from "../../../accounting/tokens/token-estimate.ts";
import { patchTopLevel, removeTopLevel } from "../../../core/call/body-patch.ts";
import { type FallbackRequest, readFallbacks } from "./fallback-request.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { readMaxCharge } from "./max-charge.ts";
import { readSessionId } from "./session-id.ts";
import { type CallWatch, watchCall } from "../../../core/telemetry/call-metrics.ts";
import { getFields, type Form } from "../../../core/call/multipart.ts";

const FORWARDED_HEADERS = ["anthropic-version", "anthropic-beta", API_VERSION];

function checkModelLength({ length }: string): void {
  if (length <= MODEL_NAME_LENGTH_MAX) return;
  throw new RelayError("invalid_request", `model must be at most ${MODEL_NAME_LENGTH_MAX} characters long`, {
    param: "model",
  });
}

function parseObject(text: string): Json {
  let parsed: unknown;
  try {
    parsed = readExactJson(text);
  } catch (cause) {
    throw new RelayError("invalid_request", "the request body is not valid JSON", { cause });
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new RelayError("invalid_request", "the request body must be a JSON object");
  }
  checkBodyKeys(text);
  return parsed as Json;
}

export function estimatePrompt({ endpoint }: Dialect, body: Json, model: string): number {
  if (!endpoint) return estimatePromptTokens(body, model);
  const { text, extraTokens } = endpoint.prompt(body);
  return estimateTokens(text) + extraTokens;
}

/** Limits of output tokens; clients of this family send 0 for none, which most providers refuse. */
const LIMIT_FIELDS = ["max_tokens", "max_completion_tokens", "max_output_tokens"];

/** OpenRouter's field that requests the charge; most providers refuse it. */
const USAGE = "usage";

type ReadBody = { readonly text: string; readonly body: Json; readonly includeCharge: boolean };

/** The body and its text, without limits of 0 and without the field that requests the charge. */
function readJson(text: string): ReadBody {
  const body = parseObject(text);
  const usage = body[USAGE] === undefined ? undefined : asObject(body[USAGE]);
  const removed = LIMIT_FIELDS.filter((name) => body[name] === 0);
  if (typeof usage?.["include"] === "boolean") removed.push(USAGE);
  const includeCharge = usage?.["include"] === true;
  if (removed.length === 0) return { text, body, includeCharge };
  const kept = Object.entries(body).filter(([name]) => !removed.includes(name));
  return { text: removeTopLevel(text, removed), body: Object.fromEntries(kept), includeCharge };
}

/** Fields of a form that may be repeated; upstreams read all their values. */
const isList = (name: string): boolean => name.endsWith("[]") || name === "image";

/** The name before its brackets: readers of forms exist that take `model[]` for `model`. */
const getBase = (name: string): string => name.replace(/\[.*$/s, "");

/** Known fields that may be files. A reader may take the content of any other file for the field's text. */
const FILES: ReadonlySet<string> = new Set(["file", "image", "images", "mask"]);

function checkFiles({ parts }: Form): void {
  const odd = parts.find(({ name, filename }) => filename !== undefined && isKnownKey(name) && !FILES.has(name));
  if (!odd) return;
  throw new RelayError("invalid_request", `${odd.name}: must be a text field, not a file`, { param: odd.name });
}

function parseForm(form: Form): Json {
  const names = form.parts.map(({ name }) => name);
  const bracketed = names.filter((name) => name.includes("[") && getBase(name) !== "image").map(getBase);
  checkRequestKeys([...names.filter((name) => !isList(name)), ...new Set(bracketed)]);
  checkFiles(form);
  return getFields(form);
}

/** A body that names fallback models, without the field; the first of `models` is requested where `model` is missing. */
function takeFallbacks(read: ReadBody, { models, field }: FallbackRequest): ReadBody & { models?: readonly string[] } {
  if (models === undefined) return read;
  if (field === undefined) return { ...read, models };
  const { [field]: _models, ...others } = read.body;
  const text = removeTopLevel(read.text, [field]);
  const [first] = models;
  if (field !== "models" || first === undefined) return { ...read, text, body: others, models };
  if (others["model"] === undefined || others["model"] === "")
    return {
      ...read,
      text: patchTopLevel(text, { model: first }),
      body: { ...others, model: first },
      models: models.slice(1),
    };
  const after = first === others["model"] ? models.slice(1) : models;
  return { ...read, text, body: others, models: after };
}

/**
 * Refuses a body that names another model than the URL, which decides what is served: an upstream might read the body. Google's
 * clients write `models/` before the name.
 */
function checkBodyModel({ namesModelInPath }: Dialect, { model: named }: Json, model: string): void {
  if (namesModelInPath !== true || typeof named !== "string" || named === "") return;
  if (named.slice(named.lastIndexOf("/") + 1) === model.slice(model.lastIndexOf("/") + 1)) return;
  throw new RelayError("invalid_request", "model: must be the model that the URL names", { param: "model" });
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
  const read = input.form ? { text: "", body: parseForm(input.form), includeCharge: false } : readJson(input.bodyText);
  const {
    text,
    body,
    includeCharge,
    models: fallbackModels,
  } = takeFallbacks(read, readFallbacks(input.dialect, read.body, input.headers));
  const common = input.dialect.readFields(body, input.path);
  checkModelLength(common.model);
  checkBodyModel(input.dialect, body, common.model);
  const sessionId = readSessionId(input.headers);
  const idempotencyKey = readIdempotencyKey(input.headers);
  const maxDollars = readMaxCharge(input.headers);
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
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey, receivedText: input.bodyText }),
    ...(maxDollars === undefined ? {} : { maxDollars }),
    ...(fallbackModels === undefined ? {} : { fallbackModels }),
    ...toCallBody(input.dialect, common, { body, text }),
    form: input.form,
    ...common,
    includeUsage: common.includeUsage || includeCharge,
    includeCharge,
    group: getGroup(input.admitted),
    estimatePromptTokens: estimatePrompt(input.dialect, body, common.model),
    tried: [],
    firstByteAtMs: undefined,
    content: undefined,
    watch: input.watch ?? watchCall(),
  };
}
