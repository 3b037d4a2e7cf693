import { MODEL_NAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { FALLBACKS_MAX } from "@turnpike/contract/options/model-routes";
import type { Dialect } from "../../../core/call/dialect.ts";
import type { Json } from "../../../core/chat/chat.ts";
import { asObject } from "../../../core/chat/json.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";

/** Models that are tried in turn after the requested one, separated by commas. */
export const FALLBACKS = "x-turnpike-fallbacks";

const refuse = (field: string, problem: string): RelayError =>
  new RelayError("invalid_request", `${field}: ${problem}`, { param: field });

function checkModels(field: string, models: readonly unknown[], countMax: number): readonly string[] {
  if (models.length > countMax) throw refuse(field, `must have at most ${countMax} models`);
  for (const model of models)
    if (typeof model !== "string" || model === "" || model.length > MODEL_NAME_LENGTH_MAX)
      throw refuse(field, `must contain names of models of at most ${MODEL_NAME_LENGTH_MAX} characters`);
  return models as readonly string[];
}

function readHeader(value: string | string[] | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = String(value)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return checkModels(FALLBACKS, names, FALLBACKS_MAX);
}

/** What the body's own field names: `models` of OpenAI's dialects (the requested model may lead it), `fallbacks` of Anthropic's. */
function readField(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw refuse(field, "must be a list");
  const isOfObjects = field === "fallbacks";
  const models = isOfObjects ? value.map((entry: unknown) => asObject(entry)?.["model"]) : value;
  return checkModels(field, models, isOfObjects ? FALLBACKS_MAX : FALLBACKS_MAX + 1);
}

/** The fallback models of a request, and its body without the field that named them. */
export type FallbackRequest = {
  /** The requested model and those after it; undefined if the request names no fallbacks. */
  readonly models: readonly string[] | undefined;
  /** The field to remove from the body. */
  readonly field: string | undefined;
};

/**
 * Reads the models that a request names as fallbacks: from the body's field (OpenRouter's API reference, `models`; for
 * messages a list of `{model}`), else from the header. Throws invalid_request naming the field.
 */
export function readFallbacks(
  { fallbackField: field }: Pick<Dialect, "fallbackField">,
  body: Json,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): FallbackRequest {
  const fromHeader = readHeader(headers[FALLBACKS]);
  if (field === undefined || body[field] === undefined) return { models: fromHeader, field: undefined };
  return { models: readField(field, body[field]), field };
}
