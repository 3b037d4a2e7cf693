import { ENGLISH_NOTES } from "@turnpike/contract/texts/english-notes";

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const escaped = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const PATTERNS = Object.entries(ENGLISH_NOTES).map(([sentence, english]) => ({
  english,
  names: [...sentence.matchAll(PLACEHOLDER)].map(([, name = ""]) => name),
  pattern: new RegExp(
    `^${sentence
      .split(/\{\{\w+\}\}/)
      .map(escaped)
      .join("(.+?)")}$`,
  ),
}));

// An amount as the services write it: a full-width dollar sign, and the word for quota behind it.
const AMOUNT = /^(\uff04?)(-?\d+(?:\.\d+)?) \u70b9?\u989d\u5ea6 ?$/;
const FOLLOWING_AMOUNT = /^(.+?) (\uff04?-?\d+(?:\.\d+)? \u70b9?\u989d\u5ea6)$/;

function readable(value: string): string {
  const [, sign = "", number = ""] = AMOUNT.exec(value) ?? [];
  return number === "" ? value : `${sign === "" ? "" : "$"}${Number(number)}`;
}

function sentenceInEnglish(note: string): string | undefined {
  for (const { english, names, pattern } of PATTERNS) {
    const values = pattern.exec(note)?.slice(1);
    if (values) return english.replace(PLACEHOLDER, (_, name: string) => readable(values[names.indexOf(name)] ?? ""));
  }
  return undefined;
}

/** A note of the log or the ledger in English; one that no service is known to write stays as it is. */
export function englishNote(note: string): string {
  const whole = sentenceInEnglish(note);
  if (whole !== undefined) return whole;
  const [, start = "", amount = ""] = FOLLOWING_AMOUNT.exec(note) ?? [];
  const reason = start === "" ? undefined : sentenceInEnglish(start);
  return reason === undefined ? note : `${reason}: ${readable(amount)}`;
}
