import type { PromptText } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { isDataField, mediaTokens } from "./media-tokens.ts";

const PER_MESSAGE_TOKENS = 3;
const CHARACTERS_PER_TOKEN = 4;
/**
 * A quick estimate of a text's tokens: a quarter of its ASCII characters plus one per other character (close for CJK
 * text). Used only for holds; charges use upstream's report or the tokenizer.
 */
export function estimateTokens(text: string): number {
  const extraBytes = Buffer.byteLength(text) - text.length;
  const wide = Math.min(text.length, Math.ceil(extraBytes / 2));
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN) + wide;
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
export function textOfFields(body: Readonly<Record<string, unknown>>, fields: readonly string[]): PromptText {
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
