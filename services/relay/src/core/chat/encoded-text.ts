import type { Json } from "./chat.ts";
import { asObjects, asText, parseJson } from "./json.ts";

/**
 * Distinguishes this gateway's encoded texts from OpenAI's and Google's; nine bytes, so that its base64 has no
 * padding.
 */
const MARK = "turnpike:";
const MARK_BASE64 = Buffer.from(MARK).toString("base64");

/** Encodes objects as one opaque text. */
export const encodeObjects = (objects: readonly object[]): string =>
  Buffer.from(MARK + JSON.stringify(objects)).toString("base64");

/** Whether this gateway encoded a text. */
export const isEncoded = (value: unknown): boolean => asText(value)?.startsWith(MARK_BASE64) === true;

/** The objects in a text that this gateway encoded; none in any other text. */
export const decodeObjects = (value: unknown): Json[] =>
  isEncoded(value)
    ? asObjects(parseJson(Buffer.from(String(value), "base64").toString("utf8").slice(MARK.length)))
    : [];
