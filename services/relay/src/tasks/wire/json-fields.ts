import { asObject, parseJson } from "../../core/chat/json.ts";
import { checkBodyKeys } from "../../core/chat/request-keys.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** A body that must be a JSON object without repeated keys; throws invalid_request. */
export function readObject(text: string): Json {
  const body = asObject(parseJson(text));
  if (body) {
    checkBodyKeys(text);
    return body;
  }
  throw new RelayError("invalid_request", "the request body must be a JSON object");
}

export const textField = (body: Json, name: string): string => {
  const value = body[name];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
};

/** A time in milliseconds or undefined; some upstreams send it as text. */
export const timeField = (body: Json, name: string): number => {
  const value = Number(body[name] ?? 0);
  return Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0;
};

/** A field as JSON text; "" if it is missing. */
export const jsonField = (body: Json, name: string): string => {
  const value = body[name];
  return value === undefined || value === null ? "" : JSON.stringify(value);
};

/** Parses stored JSON text; `none` if there is none. */
export function readStored(text: string, none: unknown): unknown {
  return text === "" ? none : (parseJson(text) ?? none);
}

const IDS_MAX = 100;

/** The ids of a list of tasks; throws invalid_request unless it is a list of at most 100. */
export function readIds(body: Json): string[] {
  const { ids } = body as { ids?: unknown };
  if (!Array.isArray(ids) || ids.length > IDS_MAX)
    throw new RelayError("invalid_request", `ids must be an array of at most ${IDS_MAX} task ids`, { param: "ids" });
  return [...new Set(ids.map(String).filter((id) => id !== ""))];
}
