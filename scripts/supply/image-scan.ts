import { spawnSync } from "node:child_process";
import { z } from "zod";

const TIMEOUT_MS = 300_000;
const MISSING = "trivy is not installed";
const REPORT_MAX_BYTES = 256 * 1024 ** 2;

/** Trivy's JSON report, version 2: https://trivy.dev/latest/docs/configuration/reporting/#json */
const Vulnerability = z.object({
  VulnerabilityID: z.string(),
  PkgName: z.string(),
  InstalledVersion: z.string(),
  FixedVersion: z.string().default(""),
  Severity: z.string(),
});
const Report = z.object({
  SchemaVersion: z.literal(2),
  Results: z.array(z.object({ Vulnerabilities: z.array(Vulnerability).default([]) })).default([]),
});

/** Vulnerabilities that were judged, by id: why they do not concern what is shipped. */
const JUDGED: Readonly<Record<string, string>> = {};

type Outcome = { readonly stdout: string; readonly problem: string | undefined };

/** Runs trivy; `problem` is the last line that it printed when it failed, or why it could not start. */
function runTrivy(args: readonly string[]): Outcome {
  const options = { encoding: "utf8", timeout: TIMEOUT_MS, maxBuffer: REPORT_MAX_BYTES } as const;
  const { stdout, stderr, status, error } = spawnSync("trivy", ["image", "--quiet", ...args], options);
  if (error) return { stdout: "", problem: "code" in error && error.code === "ENOENT" ? MISSING : error.message };
  const lines = stderr.trim().split("\n");
  return { stdout, problem: status === 0 ? undefined : lines.at(-1) || `exit code ${status}` };
}

/** What a report has against an image, a line each; judged vulnerabilities are left out. */
export function readScan(report: string): readonly string[] {
  const found = Report.parse(JSON.parse(report)).Results.flatMap(({ Vulnerabilities }) => Vulnerabilities);
  return found
    .filter(({ VulnerabilityID: id }) => JUDGED[id] === undefined)
    .map((one) => {
      const { VulnerabilityID: id, PkgName: name, InstalledVersion: version, FixedVersion: fixed, Severity } = one;
      return `${Severity.toLowerCase()}: ${id} ${name} ${version}, fixed in ${fixed}`;
    });
}

/**
 * Scans images for known vulnerabilities that are high or critical and have a fix; false if one has any, or cannot be scanned.
 * Skipped where trivy is not installed or cannot reach its database.
 */
export function scanImages(images: readonly string[], print: (line: string) => void): boolean {
  const { problem } = runTrivy(["--download-db-only"]);
  if (problem !== undefined) {
    print(`SKIPPED: images cannot be scanned: ${problem}`);
    return true;
  }
  const filters = ["--skip-db-update", "--scanners=vuln", "--severity=HIGH,CRITICAL", "--ignore-unfixed"];
  const isGood = images.map((image) => {
    const scan = runTrivy([...filters, "--format=json", image]);
    if (scan.problem !== undefined) {
      print(`FAILED: ${image} cannot be scanned: ${scan.problem}`);
      return false;
    }
    const found = readScan(scan.stdout);
    print(`${image}: ${found.length} vulnerabilities that fail the check`);
    for (const line of found) print(`  ${line}`);
    return found.length === 0;
  });
  return isGood.every(Boolean);
}
