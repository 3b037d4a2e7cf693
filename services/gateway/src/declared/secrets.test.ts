import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { getFingerprint, resolveSecret } from "./secrets.ts";

it("reads secrets from the environment, a file and a mounted Secret, and names the reference where it cannot", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-secrets-"));
  try {
    mkdirSync(join(folder, "providers"));
    writeFileSync(join(folder, "providers", "openai"), "sk-upstream\n");
    writeFileSync(join(folder, "empty"), "\n");
    const env = { KEY: "from-env", TURNPIKE_SECRETS_DIR: folder };
    expect(resolveSecret({ env: "KEY" }, env)).toEqual({ value: "from-env" });
    expect(resolveSecret({ secret: "providers", key: "openai" }, env)).toEqual({ value: "sk-upstream" });
    expect(resolveSecret({ file: join(folder, "empty") }, env)).toEqual({
      problem: `the file ${join(folder, "empty")} is empty`,
    });
    expect(resolveSecret({ env: "NONE" }, env)).toEqual({ problem: "the environment variable NONE is not set" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("gives one secret different fingerprints by salt and by name", () => {
  const print = getFingerprint("salt", "option/SMTPToken", "secret");
  expect(print).toBe(getFingerprint("salt", "option/SMTPToken", "secret"));
  expect(
    new Set([print, getFingerprint("other", "option/SMTPToken", "secret"), getFingerprint("salt", "x", "secret")]).size,
  ).toBe(3);
  expect(print).not.toContain("secret");
});
