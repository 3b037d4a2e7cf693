/** Tokens an image is taken for before upstream says what it was. */
const IMAGE_TOKENS = 255;
const PER_MESSAGE_TOKENS = 3;
const CHARACTERS_PER_TOKEN = 4;
/** Fields whose text is data, not prompt. */
const DATA_FIELDS = new Set(["image_url", "source", "inline_data", "inlineData", "input_audio", "file", "file_data"]);

/**
 * A quick guess of a text's tokens: a quarter of its ASCII characters and one for each other one (CJK text runs near that).
 * Used for holds only; charges go by what upstream reported or by the tokenizer.
 */
export function roughTokens(text: string): number {
  const extraBytes = Buffer.byteLength(text) - text.length;
  const wide = Math.min(text.length, Math.ceil(extraBytes / 2));
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN) + wide;
}

function walk(value: unknown, visitText: (text: string) => void, visitData: () => void): void {
  if (typeof value === "string") visitText(value);
  else if (Array.isArray(value)) for (const item of value) walk(item, visitText, visitData);
  else if (typeof value === "object" && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      if (DATA_FIELDS.has(name)) visitData();
      else if (name !== "type" && name !== "role" && name !== "id") walk(entry, visitText, visitData);
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
  "response_format",
] as const;

/** A quick guess of the prompt's tokens in a chat body of any dialect. */
export function roughPromptTokens(body: Readonly<Record<string, unknown>>): number {
  let tokens = PER_MESSAGE_TOKENS;
  for (const field of PROMPT_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    if (field === "messages" && Array.isArray(value)) tokens += value.length * PER_MESSAGE_TOKENS;
    walk(
      value,
      (text) => (tokens += roughTokens(text)),
      () => (tokens += IMAGE_TOKENS),
    );
  }
  return tokens;
}

/** Text for the tokenizer, and a figure for what is not text. `isExact` where that is the formula, not a guess. */
export type PromptText = { readonly text: string; readonly extraTokens: number; readonly isExact?: boolean };

/** The text of some fields of a body; lists of token ids count as what they are. */
export function textOfFields(body: Readonly<Record<string, unknown>>, fields: readonly string[]): PromptText {
  const texts: string[] = [];
  let extraTokens = 0;
  const visit = (value: unknown): void => {
    if (typeof value === "number") extraTokens++;
    else if (Array.isArray(value)) value.forEach(visit);
    else
      walk(
        value,
        (text) => texts.push(text),
        () => (extraTokens += IMAGE_TOKENS),
      );
  };
  for (const field of fields) visit(body[field]);
  return { text: texts.join("\n"), extraTokens };
}

/** All prompt text of a chat body, for the tokenizer, and a figure for what is not text. */
export function promptText(body: Readonly<Record<string, unknown>>): PromptText {
  const texts: string[] = [];
  let extraTokens = PER_MESSAGE_TOKENS;
  for (const field of PROMPT_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    if (field === "messages" && Array.isArray(value)) extraTokens += value.length * PER_MESSAGE_TOKENS;
    walk(
      value,
      (text) => texts.push(text),
      () => (extraTokens += IMAGE_TOKENS),
    );
  }
  return { text: texts.join("\n"), extraTokens };
}
