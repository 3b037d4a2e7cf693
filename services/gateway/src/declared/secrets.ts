import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SecretReference } from "./file-schema.ts";

/** Where the chart mounts the Secrets that references name. */
export const SECRETS_DIR = "/etc/turnpike/secrets";

/** A secret with its value, or why it cannot be read. */
export type ResolvedSecret = { readonly value: string } | { readonly problem: string };

/** Reads a secret; the problem names the reference and never contains a value. */
export function resolveSecret(reference: SecretReference, env: NodeJS.ProcessEnv): ResolvedSecret {
  if ("env" in reference) {
    const value = env[reference.env] ?? "";
    return value === "" ? { problem: `the environment variable ${reference.env} is not set` } : { value };
  }
  const path =
    "file" in reference
      ? reference.file
      : join(env["TURNPIKE_SECRETS_DIR"] ?? SECRETS_DIR, reference.secret, reference.key);
  try {
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { problem: `the file ${path} is empty` } : { value };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { problem: `the file ${path} cannot be read (${code})` };
  }
}

/** Identifies a secret without containing it, so that the next apply knows whether it changed. */
export const getFingerprint = (salt: string, name: string, value: string): string =>
  createHmac("sha256", salt).update(`${name}\0${value}`).digest("base64url").slice(0, 22);
