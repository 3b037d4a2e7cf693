import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "turnpike-setup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the set-up with an npm that prints an error and ends with a status. */
function runSetup(error: string, status: number) {
  writeFileSync(join(folder, "npm"), `#!/bin/sh\necho '${error}' >&2\nexit ${status}\n`);
  chmodSync(join(folder, "npm"), 0o755);
  const main = join(import.meta.dirname, "main.mjs");
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  return spawnSync(process.execPath, [main, "ci"], { env, encoding: "utf8" });
}

describe("make setup", () => {
  it.each([
    ["npm error code ENOTFOUND", "npm config get registry"],
    ["npm error code EACCES", "chown"],
    ["npm error code ENOSPC", "The disk is full"],
    ["npm error code EINTEGRITY", "npm cache clean"],
    ["npm error code SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
    ["npm error something new", "Delete node_modules"],
  ])("names what to do after %s", (error, advice) => {
    const { status, stderr } = runSetup(error, 7);
    expect(status).toBe(1);
    expect(stderr).toContain(error);
    expect(stderr).toContain("npm ended with 7");
    expect(stderr).toContain(advice);
  });

  it("is silent when npm succeeds", () => {
    expect(runSetup("npm warn deprecated", 0)).toMatchObject({ status: 0, stderr: "npm warn deprecated\n" });
  });

  it("names npm when it is missing", () => {
    const env = { PATH: "/none" };
    const main = join(import.meta.dirname, "main.mjs");
    const { status, stderr } = spawnSync(process.execPath, [main, "ci"], { env, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("npm is not installed");
  });
});
