import { createHash, randomInt } from "node:crypto";
import { TOKEN_KEY_LENGTH, TOKEN_KEY_PREFIX } from "@turnpike/contract/limits";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { hashForeignDigest, isForeignKey, isOwnKey } from "@turnpike/shared/crypto/token-key-hash";
import { AppError } from "@turnpike/shared/errors/app-error";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new key from the system's random source, without its sk- prefix. */
export const generateTokenKey = (): string =>
  Array.from({ length: TOKEN_KEY_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");

/** The key in a search text, when the text is a full key: an own one without its prefix, a foreign one with it. */
export function parseTokenKey(text: string): string | undefined {
  const key = text.startsWith(TOKEN_KEY_PREFIX) ? text.slice(TOKEN_KEY_PREFIX.length) : text;
  if (isOwnKey(key)) return key;
  return isForeignKey(text) && text.length >= FOREIGN_KEY_LENGTH_MIN ? text : undefined;
}

/** Shorter texts of a search are parts of keys. */
const FOREIGN_KEY_LENGTH_MIN = 20;

/**
 * The part of a search text that is matched against keys: compatible lists strip the letters of the prefix from both
 * ends.
 */
export const toKeySearchText = (text: string): string => text.trim().replace(/^[sk-]+|[sk-]+$/g, "");

/**
 * The stored form of a key, which is an own one with or without its prefix, or one of another gateway; throws
 * token_key_invalid. The key of another gateway is stored as its hash only.
 */
export function sealTokenKey(
  key: string,
  { secretBox, hashKey }: { readonly secretBox: SecretBox; readonly hashKey: (key: string) => string },
): { readonly keyBox: string; readonly keyHash: string } {
  const parsed = parseTokenKey(key);
  if (parsed === undefined) throw new AppError("token_key_invalid", "the key has no known form");
  if (isOwnKey(parsed)) return { keyBox: secretBox.seal(parsed), keyHash: hashKey(parsed) };
  return { keyBox: "", keyHash: hashForeignDigest(hashKey, createHash("sha256").update(parsed).digest("hex")) };
}
