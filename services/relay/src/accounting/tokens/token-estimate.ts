import type { PromptText } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { isDataField, mediaTokens } from "./media-tokens.ts";

const PER_MESSAGE_TOKENS = 3;
const CHARACTERS_PER_TOKEN = 4;
/** Up to this length a loop is faster than a call into native code; the text of most stream events is shorter. */
const SHORT_TEXT_LENGTH = 48;

/** UTF-8 bytes of a text; each half of a surrogate pair counts as two. */
function countUtf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x800) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2;
    else if (unit >= 0x80) bytes++;
  }
  return bytes;
}

/** How many of a text's characters are written in another script than Latin, by its bytes. */
function countWide(text: string): number {
  const extraBytes = (text.length <= SHORT_TEXT_LENGTH ? countUtf8Bytes(text) : Buffer.byteLength(text)) - text.length;
  return Math.min(text.length, extraBytes / 2);
}

/**
 * A quick estimate of a text's tokens: a quarter of its ASCII characters plus one per other character (close for CJK
 * text). Used only for holds; charges use upstream's report or the tokenizer.
 */
export function estimateTokens(text: string): number {
  const wide = Math.ceil(countWide(text));
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN) + wide;
}

/** The same estimate for a part of a text, a fraction: rounding each event of a stream would count most words double. */
export function estimatePartTokens(text: string): number {
  const wide = countWide(text);
  return (text.length - wide) / CHARACTERS_PER_TOKEN + wide;
}

const SPACE = 32;

/**
 * The words of a part of a text, by the spaces between them: no token has parts of two. An upstream sends a token or more at a time, but
 * several parts may arrive together.
 */
export function countWords(text: string): number {
  let words = 0;
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) === SPACE && text.charCodeAt(at + 1) !== SPACE) words++;
  return words;
}

/** Field names that are markers if they hold a string; a tool's property or argument may have the same name. */
const MARKS: ReadonlySet<string> = new Set(["type", "role", "id"]);
const MARK_LENGTH_MAX = 64;
const isMark = (name: string, value: unknown): boolean =>
  MARKS.has(name) && typeof value === "string" && value.length <= MARK_LENGTH_MAX;

type Visitor = { readonly text: (text: string) => void; readonly tokens: (count: number) => void };

function walk(value: unknown, visit: Visitor, model: string | undefined): void {
  if (typeof value === "string") visit.text(value);
  else if (Array.isArray(value)) for (const item of value) walk(item, visit, model);
  else if (typeof value === "object" && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      if (isDataField(name, entry, value as Json)) visit.tokens(mediaTokens(name, entry, value as Json, model));
      else if (!isMark(name, entry)) walk(entry, visit, model);
    }
  }
}

const PROMPT_FIELDS = [
  "messages",
  "system",
  "tools",
  "functions",
  "contents",
  "systemInstruction",
  "system_instruction",
  "response_format",
  "output_config",
] as const;

/**
 * A quick estimate of the prompt's tokens in a chat body of any dialect; `model` determines the tokens of images and
 * recordings.
 */
export function estimatePromptTokens(body: Readonly<Record<string, unknown>>, model?: string): number {
  let tokens = PER_MESSAGE_TOKENS;
  const visit: Visitor = {
    text: (text) => (tokens += estimateTokens(text)),
    tokens: (count) => (tokens += count),
  };
  for (const field of PROMPT_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    if (field === "messages" && Array.isArray(value)) tokens += value.length * PER_MESSAGE_TOKENS;
    walk(value, visit, model);
  }
  return tokens;
}

/** The text of some fields of a body; lists of token ids count by their length. */
export function collectFieldText(body: Readonly<Record<string, unknown>>, fields: readonly string[]): PromptText {
  const texts: string[] = [];
  let extraTokens = 0;
  const model = typeof body["model"] === "string" ? body["model"] : undefined;
  const visitor: Visitor = { text: (text) => texts.push(text), tokens: (count) => (extraTokens += count) };
  const visit = (value: unknown): void => {
    if (typeof value === "number") extraTokens++;
    else if (Array.isArray(value)) value.forEach(visit);
    else walk(value, visitor, model);
  };
  for (const field of fields) visit(body[field]);
  return { text: texts.join("\n"), texts, extraTokens };
}

/** All prompt text of a chat body, for the tokenizer, and a token count for everything that is not text. */
export function promptText(body: Readonly<Record<string, unknown>>, model?: string): PromptText {
  const texts: string[] = [];
  let extraTokens = PER_MESSAGE_TOKENS;
  const visit: Visitor = { text: (text) => texts.push(text), tokens: (count) => (extraTokens += count) };
  for (const field of PROMPT_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    if (field === "messages" && Array.isArray(value)) extraTokens += value.length * PER_MESSAGE_TOKENS;
    walk(value, visit, model);
  }
  return { text: texts.join("\n"), extraTokens };
}
