import { createHash } from "node:crypto";

/** A token's key as this gateway makes it, without `sk-`. */
const OWN_KEY = /^[0-9A-Za-z]{48}$/;
/** A key that another gateway made, as its callers send it. */
const FOREIGN_KEY = /^sk-[\x21-\x7e]{8,253}$/;

/** Whether a text has the form of the keys that this gateway makes; it is without `sk-`. */
export const isOwnKey = (text: string): boolean => OWN_KEY.test(text);

/** Whether a text may be a key that another gateway made; it is with `sk-`. */
export const isForeignKey = (text: string): boolean => FOREIGN_KEY.test(text);

/**
 * Stored hash of a token whose key is known by its SHA-256 (64 hex digits) only, as LiteLLM stores keys: the keyed hash
 * of that digest, so that the database alone does not confirm a guessed key. Shares the index of all other hashes.
 */
export const hashForeignDigest = (hash: (secret: string) => string, sha256: string): string =>
  hash(`sha256:${sha256.toLowerCase()}`);

/** The hashes under which a key may be stored: `foreign` for tokens that were imported without their keys. */
export type KeyHashes = { readonly own: string; readonly foreign: string };

/** The stored hashes of a key that is either an own one without `sk-`, or a foreign one as sent; "" for none. */
export function getKeyHashes(hash: (secret: string) => string, key: string): KeyHashes {
  const sent = isOwnKey(key) ? `sk-${key}` : key;
  const digest = createHash("sha256").update(sent).digest("hex");
  return { own: isOwnKey(key) ? hash(key) : "", foreign: hashForeignDigest(hash, digest) };
}
