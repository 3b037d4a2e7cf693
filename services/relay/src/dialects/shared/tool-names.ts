import { createHash } from "node:crypto";

const LENGTH_MAX = 64;
const DIGEST_LENGTH = 8;
/**
 * The name format that every provider accepts; Anthropic callers may use 128 characters, Google callers also dots and
 * colons.
 */
const COMMON = /^[a-zA-Z0-9_-]{1,64}$/;

/** The name of a tool in the common format; the mapping is deterministic. */
export function commonName(name: string): string {
  if (COMMON.test(name)) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, LENGTH_MAX - DIGEST_LENGTH - 1)}_${digest}`;
}

/** Restores the caller's own names of tools that a model calls by their common names. */
export function ownNames(names: readonly string[]): (name: string) => string {
  const changed = names.filter((name) => !COMMON.test(name));
  if (changed.length === 0) return (name) => name;
  const own = new Map(changed.map((name) => [commonName(name), name]));
  return (name) => own.get(name) ?? name;
}
