import type { Json } from "../../core/chat/chat.ts";
import type { CommonFields, PathValues } from "../../core/call/dialect.ts";
import { invalidField, optionalText, requireName } from "../shared/fields.ts";

/** The requested model: from the URL, the body, or the endpoint's default. Throws invalid_request if none is given. */
export function getModel(body: Json, path: PathValues | undefined, fallback?: string): string {
  if (path) return path.model;
  if (fallback === undefined) return requireName(body["model"], "model");
  return optionalText(body["model"], "model") || fallback;
}

/** Common fields of a call whose response has no tokens. */
export const promptOnlyFields = (model: string): CommonFields => ({
  model,
  stream: false,
  includeUsage: false,
  maxOutputTokens: 0,
});

/** Refuses a missing or empty field. */
export function requireContent(value: unknown, param: string): void {
  const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) throw invalidField(param, "must not be empty");
}
