import { randomInt } from "node:crypto";
import { TOKEN_KEY_LENGTH, TOKEN_KEY_PREFIX } from "@turnpike/contract/limits";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new key from the system's random source, without its sk- prefix. */
export const generateTokenKey = (): string =>
  Array.from({ length: TOKEN_KEY_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");

/** The key in a search text, when the text is a full key, with or without its prefix. */
export function parseTokenKey(text: string): string | undefined {
  const key = text.startsWith(TOKEN_KEY_PREFIX) ? text.slice(TOKEN_KEY_PREFIX.length) : text;
  return /^[0-9A-Za-z]+$/.test(key) && key.length === TOKEN_KEY_LENGTH ? key : undefined;
}

/**
 * The part of a search text that is matched against keys: compatible lists strip the letters of the prefix from both
 * ends.
 */
export const toKeySearchText = (text: string): string => text.trim().replace(/^[sk-]+|[sk-]+$/g, "");
