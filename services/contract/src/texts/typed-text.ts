/** Characters without a width that come along with copied text: soft hyphens, joiners, direction marks, byte order marks. */
const INVISIBLE = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** A typed or pasted code or name without invisible characters and surrounding blanks. */
export const dropInvisible = (text: string): string => text.replace(INVISIBLE, "").trim();

/**
 * The names of a typed list, in order, without blanks and duplicates. Commas, semicolons, new lines and the separators
 * of Chinese keyboards count alike.
 */
export const splitTypedList = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，、;；\r\n]/)
      .map(dropInvisible)
      .filter((part) => part !== ""),
  ),
];
