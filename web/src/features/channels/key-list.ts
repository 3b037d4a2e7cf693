import { VERTEX_TYPE } from "./type-fields.ts";

const SEPARATORS = /[,\n]/;

/** The keys in a text: commas and new lines separate them, but for the type whose key is one JSON document. */
export function parseKeys(type: number, key: string): string[] {
  const parts = type === VERTEX_TYPE ? [key] : key.split(SEPARATORS);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Whether a text looks like several keys, which are better edited one by one. */
export const isKeyList = (type: number, key: string): boolean => type !== VERTEX_TYPE && SEPARATORS.test(key.trim());

/** The text that keys edited one by one make; empty lines stay while they are typed. */
export const joinKeys = (keys: readonly string[]): string => keys.join("\n");

/** The lines of the list view: every key with a line of its own. */
export const splitKeyLines = (key: string): string[] => key.split(SEPARATORS).map((part) => part.trim());
