import type { Json } from "../../core/chat/chat.ts";
import { asNumber, asObject } from "../../core/chat/json.ts";
import { isThreadContinuation } from "../../core/vendors/anthropic-thread.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** An invalid_request error with the invalid field's path as the caller wrote it. */
export const invalidField = (param: string, problem: string): RelayError =>
  new RelayError("invalid_request", `${param}: ${problem}`, { param });

/** Returns the value as an object; throws invalid_request for other types. */
export function requireObject(value: unknown, param: string): Json {
  const object = asObject(value);
  if (!object) throw invalidField(param, "must be an object");
  return object;
}

/** Returns the value as a list; throws invalid_request for other types. */
export function requireList(value: unknown, param: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidField(param, "must be an array");
  return value as unknown[];
}

/** Returns the value as a string, possibly empty; throws invalid_request for other types. */
export function requireText(value: unknown, param: string): string {
  if (typeof value !== "string") throw invalidField(param, "must be a string");
  return value;
}

/** Returns the value as a non-empty string; throws invalid_request for other values. */
export function requireName(value: unknown, param: string): string {
  const text = requireText(value, param);
  if (text === "") throw invalidField(param, "must not be empty");
  return text;
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** An optional number; null counts as absent. Throws invalid_request for other types. */
export function optionalNumber(value: unknown, param: string): number | undefined {
  if (!isPresent(value)) return undefined;
  const number = asNumber(value);
  if (number === undefined) throw invalidField(param, "must be a number");
  return number;
}

/** An optional boolean; null counts as absent. Throws invalid_request for other types. */
export function optionalBoolean(value: unknown, param: string): boolean | undefined {
  if (!isPresent(value)) return undefined;
  if (typeof value !== "boolean") throw invalidField(param, "must be a boolean");
  return value;
}

/** An optional string; null counts as absent. Throws invalid_request for other types. */
export const optionalText = (value: unknown, param: string): string | undefined =>
  isPresent(value) ? requireText(value, param) : undefined;

/** An optional object; null counts as absent. Throws invalid_request for other types. */
export const optionalObject = (value: unknown, param: string): Json | undefined =>
  isPresent(value) ? requireObject(value, param) : undefined;

/** An optional list; null counts as absent. Throws invalid_request for other types. */
export const optionalList = (value: unknown, param: string): readonly unknown[] | undefined =>
  isPresent(value) ? requireList(value, param) : undefined;

/** Larger values are refused, as in the other gateways of this family, so that no estimate overflows. */
const OUTPUT_TOKENS_MAX = 1_073_741_823;

/** An optional limit of output tokens; 0 and null count as absent. Throws invalid_request for other values. */
export function optionalTokenBound(value: unknown, param: string): number | undefined {
  const bound = optionalNumber(value, param);
  if (bound === undefined || bound === 0) return undefined;
  if (!Number.isInteger(bound) || bound < 0) throw invalidField(param, "must be a positive integer");
  if (bound > OUTPUT_TOKENS_MAX) throw invalidField(param, `must be at most ${OUTPUT_TOKENS_MAX}`);
  return bound;
}

/**
 * A string or a list of strings; undefined, null and an empty list count as absent. Throws invalid_request for other
 * types.
 */
export function optionalTexts(value: unknown, param: string): readonly string[] | undefined {
  if (!isPresent(value)) return undefined;
  if (typeof value === "string") return [value];
  const texts = requireList(value, param).map((item, index) => requireText(item, `${param}[${index}]`));
  return texts.length > 0 ? texts : undefined;
}

/** Validates every chat call: an object with a model and non-empty messages. Throws RelayError invalid_request. */
export function checkChatBody(body: unknown): Json {
  const object = asObject(body);
  if (!object) throw new RelayError("invalid_request", "the request body must be a JSON object");
  requireName(object["model"], "model");
  const messages = requireList(object["messages"], "messages");
  if (messages.length === 0 && !isThreadContinuation(object)) throw invalidField("messages", "must not be empty");
  messages.forEach((message, index) => requireObject(message, `messages[${index}]`));
  optionalBoolean(object["stream"], "stream");
  optionalTokenBound(object["max_tokens"], "max_tokens");
  return object;
}
