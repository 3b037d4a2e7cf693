import { ENGLISH_NOTES } from "@turnpike/contract/texts/english-notes";
import { createNoteReader, splitAmount } from "@turnpike/contract/texts/note-reader";

const readNote = createNoteReader(Object.keys(ENGLISH_NOTES));

// An amount as the services write it: a full-width dollar sign, and the Chinese word for quota after it.
const AMOUNT = /^(\uff04?)(-?\d+(?:\.\d+)?) \u70b9?\u989d\u5ea6 ?$/;

function readable(value: string): string {
  const [, sign = "", number = ""] = AMOUNT.exec(value) ?? [];
  return number === "" ? value : `${sign === "" ? "" : "$"}${Number(number)}`;
}

function sentenceInEnglish(note: string): string | undefined {
  const read = readNote(note);
  if (!read) return undefined;
  return ENGLISH_NOTES[read.sentence]?.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    readable(read.values[name] ?? ""),
  );
}

/** A note of the log or the ledger in English; a note that matches no known form is returned unchanged. */
export function translateNote(note: string): string {
  const whole = sentenceInEnglish(note);
  if (whole !== undefined) return whole;
  const split = splitAmount(note);
  const reason = split && sentenceInEnglish(split.start);
  return split && reason !== undefined ? `${reason}: ${readable(split.amount)}` : note;
}
