import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readAudit } from "./audit.ts";
import { scanImages } from "./image-scan.ts";
import { checkLicences, isAllowed } from "./licences.ts";
import { type LockedPackage, readLock } from "./lock-file.ts";
import { createSbom } from "./sbom.ts";

const locked = (name: string, licence: string): LockedPackage => ({
  path: `node_modules/${name}`,
  name,
  version: "1.0.0",
  integrity: undefined,
  licence: licence === "" ? undefined : licence,
  requires: [],
});

describe("licence check", () => {
  const allowed = new Set(["MIT", "ISC"]);
  it.each([
    ["MIT", true],
    ["(GPL-3.0-only OR MIT)", true],
    ["MIT AND ISC", true],
    ["MIT AND GPL-3.0-only", false],
    ["(MIT AND (ISC OR GPL-3.0-only))", true],
    ["(MIT AND GPL-3.0-only) OR AGPL-3.0-only", false],
    ["none", false],
  ])("judges %s, allowed: %s", (expression, expected) => {
    expect(isAllowed(expression, allowed)).toBe(expected);
  });

  it("refuses a package whose licence is not on the allow-list or not stated", () => {
    const { counts, refused } = checkLicences(
      [locked("a", "MIT"), locked("b", "AGPL-3.0-only"), locked("c", "")],
      "shipped",
    );
    expect(refused).toEqual(["b@1.0.0: AGPL-3.0-only", "c@1.0.0: none"]);
    expect([...counts]).toEqual([
      ["MIT", 1],
      ["AGPL-3.0-only", 1],
      ["none", 1],
    ]);
  });

  it("allows weak copyleft for a tool that is not shipped", () => {
    expect(checkLicences([locked("a", "MPL-2.0")], "all").refused).toEqual([]);
    expect(checkLicences([locked("a", "MPL-2.0")], "shipped").refused).toHaveLength(1);
  });
});

describe("bill of materials", () => {
  const sbom = createSbom();
  const find = (name: string) => sbom.components.find(({ purl }) => purl.startsWith(`pkg:npm/${name}@`));

  it("is the same for the same lock file, and another for another content", () => {
    expect(createSbom()).toEqual(sbom);
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const lock = readLock();
    lock.delete(`node_modules/mongoose`);
    expect(createSbom(lock).serialNumber).not.toBe(sbom.serialNumber);
  });

  it("names what services load through other workspaces, with hashes and licences, and no tools", () => {
    for (const name of ["mongoose", "mongodb", "react", "undici", "%40grpc/grpc-js", "%40nats-io/nats-core"])
      expect(find(name)).toMatchObject({
        hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [{ expression: expect.any(String) }],
      });
    for (const name of ["vitest", "typescript", "openai"]) expect(find(name)).toBeUndefined();
  });

  it("refers to its own components only", () => {
    const known = new Set(sbom.components.map((one) => one["bom-ref"]));
    expect(known.size).toBe(sbom.components.length);
    expect(
      sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((reference) => !known.has(reference)),
    ).toEqual([]);
  });
});

describe("npm audit", () => {
  it("fails for high advisories alone", () => {
    const vulnerabilities = {
      a: { name: "a", severity: "moderate", range: "<2" },
      b: { name: "b", severity: "critical", range: "*" },
    };
    expect(readAudit(JSON.stringify({ vulnerabilities }))).toEqual({
      kind: "checked",
      found: ["moderate: a <2", "critical: b *"],
      failing: ["critical: b *"],
    });
  });

  it.each([
    ['{"message": "405 Method Not Allowed", "error": {"summary": "", "detail": ""}}', "405 Method Not Allowed"],
    ['{"error": {"code": "ENOTFOUND", "summary": "request failed"}}', "request failed"],
    ["npm error", "npm error"],
  ])("is skipped with the reason where the registry has no advisories: %s", (output, reason) => {
    expect(readAudit(output)).toEqual({ kind: "skipped", reason });
  });
});

describe("image scan", () => {
  const folders: string[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** Puts a program named trivy before all others, which runs these lines of shell. */
  function installTrivy(...lines: readonly string[]): void {
    const folder = mkdtempSync(join(tmpdir(), "turnpike-trivy-"));
    folders.push(folder);
    writeFileSync(join(folder, "trivy"), ["#!/bin/sh", ...lines].join("\n"));
    chmodSync(join(folder, "trivy"), 0o755);
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
  }

  function scan(...images: readonly string[]) {
    const lines: string[] = [];
    return { isGood: scanImages(images, (line) => lines.push(line)), lines };
  }

  const report = (...found: readonly object[]): string =>
    JSON.stringify({ SchemaVersion: 2, Results: [{ Target: "package.json" }, { Vulnerabilities: found }] });

  it("names what it finds in each image, and fails", () => {
    const found = { VulnerabilityID: "CVE-1", PkgName: "libssl3", InstalledVersion: "3.0.1", FixedVersion: "3.0.2" };
    installTrivy(
      `case "$*" in`,
      `*--download-db-only*) ;;`,
      `*--severity=HIGH,CRITICAL*bad) echo '${report({ ...found, Severity: "HIGH" })}' ;;`,
      `*--severity=HIGH,CRITICAL*good) echo '${report()}' ;;`,
      `*) echo "no such image" >&2; exit 1 ;;`,
      `esac`,
    );
    expect(scan("bad", "good")).toEqual({
      isGood: false,
      lines: [
        "bad: 1 vulnerabilities that fail the check",
        "  high: CVE-1 libssl3 3.0.1, fixed in 3.0.2",
        "good: 0 vulnerabilities that fail the check",
      ],
    });
    expect(scan("good").isGood).toBe(true);
    expect(scan("none")).toEqual({ isGood: false, lines: ["FAILED: none cannot be scanned: no such image"] });
  });

  it("is skipped with the reason where trivy cannot reach its database", () => {
    installTrivy(`echo "FATAL database download failed" >&2; exit 1`);
    const lines = ["SKIPPED: images cannot be scanned: FATAL database download failed"];
    expect(scan("bad")).toEqual({ isGood: true, lines });
  });
});
