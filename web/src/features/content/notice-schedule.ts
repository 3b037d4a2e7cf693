/** What this browser stores about the notice: the day it was last shown and a hash of that text. */
export type SeenNotice = { readonly day: string; readonly mark: string };

const HASH_SEED = 5381;
const HASH_FACTOR = 33;

/** A hash that identifies a text without storing it. */
export function getTextHash(text: string): string {
  let hash = HASH_SEED;
  for (const character of text) hash = (Math.imul(hash, HASH_FACTOR) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return `${text.length}-${hash.toString(36)}`;
}

/** The day in the user's time zone, as YYYY-MM-DD. */
export const toDayString = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

/** Whether a notice opens by itself: it is not empty, and this user has not seen this text today. */
export const isNoticeDue = (text: string, seen: SeenNotice | undefined, today: string): boolean =>
  text.trim() !== "" && (seen?.day !== today || seen.mark !== getTextHash(text));
