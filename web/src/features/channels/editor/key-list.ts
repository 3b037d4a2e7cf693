import { VERTEX_TYPE } from "./type-fields.ts";

const SEPARATORS = /[,\n]/;

/** The keys in a text, separated by commas and new lines, except for types whose key is one JSON document. */
export function parseKeys(type: number, key: string): string[] {
  const parts = type === VERTEX_TYPE ? [key] : key.split(SEPARATORS);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Whether a text looks like several keys, which are easier to edit one by one. */
export const isKeyList = (type: number, key: string): boolean => type !== VERTEX_TYPE && SEPARATORS.test(key.trim());

/** The text from keys that are edited one by one; empty lines stay while the user types. */
export const joinKeys = (keys: readonly string[]): string => keys.join("\n");

/** The lines of the list view: one line per key. */
export const splitKeyLines = (key: string): string[] => key.split(SEPARATORS).map((part) => part.trim());
