import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { z } from "zod";

const ROOT = resolve(import.meta.dirname, "../..");
const TIMEOUT_MS = 120_000;

const Vulnerability = z.object({ name: z.string(), severity: z.string(), range: z.string().default("") });
const Report = z.union([
  z.object({ vulnerabilities: z.record(z.string(), Vulnerability) }),
  /** The registry has no advisories, refuses the request, or is out of reach. */
  z.object({ message: z.string().optional(), error: z.object({ summary: z.string().optional() }).optional() }),
]);

/** Advisories that were judged, by package: why they do not concern what is shipped. */
const JUDGED: Readonly<Record<string, string>> = {};
const FAILING = new Set(["high", "critical"]);

export type AuditResult =
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "checked"; readonly found: readonly string[]; readonly failing: readonly string[] };

/** Reads the report of `npm audit --json`. */
export function readAudit(output: string): AuditResult {
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return { kind: "skipped", reason: output.trim().split("\n")[0] ?? "no report" };
  }
  const report = Report.parse(json);
  if (!("vulnerabilities" in report))
    return { kind: "skipped", reason: report.message || report.error?.summary || "the registry has no advisories" };
  const all = Object.values(report.vulnerabilities);
  const toLine = ({ name, severity, range }: z.output<typeof Vulnerability>): string => `${severity}: ${name} ${range}`;
  const failing = all.filter(({ name, severity }) => FAILING.has(severity) && JUDGED[name] === undefined);
  return { kind: "checked", found: all.map(toLine), failing: failing.map(toLine) };
}

/** Requests the registry's advisories about what is shipped; false for one of high severity that is not reviewed. */
export function audit(print: (line: string) => void): boolean {
  const { stdout, error } = spawnSync("npm", ["audit", "--json", "--omit=dev"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
  });
  const result: AuditResult = error ? { kind: "skipped", reason: error.message } : readAudit(stdout);
  if (result.kind === "skipped") {
    print(`SKIPPED: npm audit has no result: ${result.reason}`);
    return true;
  }
  for (const line of result.found) print(line);
  print(`${result.found.length} advisories, ${result.failing.length} that fail the check`);
  return result.failing.length === 0;
}
