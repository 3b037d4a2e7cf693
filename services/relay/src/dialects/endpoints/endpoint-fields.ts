import type { Json } from "../../core/chat/chat.ts";
import type { CommonFields, PathFacts } from "../../core/call/dialect.ts";
import { invalidField, optionalText, requireName } from "../shared/fields.ts";

/** The model that is asked for: of the address, of the body, else the endpoint's own default. Throws invalid_request where none is named. */
export function modelOf(body: Json, path: PathFacts | undefined, fallback?: string): string {
  if (path) return path.model;
  if (fallback === undefined) return requireName(body["model"], "model");
  return optionalText(body["model"], "model") || fallback;
}

/** Fields of a call whose answer has no tokens of its own. */
export const promptOnlyFields = (model: string): CommonFields => ({
  model,
  stream: false,
  includeUsage: false,
  maxOutputTokens: 0,
});

/** Refuses a field that was not given, or given empty. */
export function requireContent(value: unknown, param: string): void {
  const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) throw invalidField(param, "must not be empty");
}
