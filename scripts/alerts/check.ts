import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { findOnPath } from "../backing/find-on-path.ts";
import { DASHBOARDS } from "./panels.ts";

/**
 * Checks rules, runbooks and dashboards without a running system: promtool's checks and unit tests (each alert fires on
 * its condition and stays silent otherwise), a runbook and two tests for every alert, and no reference to a metric that
 * no service exports.
 */
const root = resolve(import.meta.dirname, "../..");
const rulesFile = join(root, "deploy/helm/turnpike/files/rules.yaml");
const testFile = join(root, "tests/alerts/rules.test.yaml");
const problems: string[] = [];

const promtool = findOnPath("promtool");
if (promtool === undefined) {
  console.error("promtool is not installed: on Debian, apt-get install prometheus");
  process.exit(1);
}
for (const args of [
  ["check", "rules", rulesFile],
  ["test", "rules", testFile],
])
  execFileSync(promtool, args, { stdio: ["ignore", "inherit", "inherit"], timeout: 60_000 });

const rules = readFileSync(rulesFile, "utf8");
const tests = readFileSync(testFile, "utf8");
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
const runbooks = readdirSync(join(root, "deploy/runbooks")).map((name) => basename(name, ".md"));
for (const name of alerts) {
  if (!runbooks.includes(name)) problems.push(`${name} has no runbook`);
  for (const what of ["fires", "is silent"])
    if (!tests.includes(`- name: ${name} ${what}\n`)) problems.push(`${name} has no test "${what}"`);
}
for (const name of runbooks) {
  if (!alerts.includes(name)) problems.push(`the runbook ${name} belongs to no alert`);
  const text = readFileSync(join(root, `deploy/runbooks/${name}.md`), "utf8");
  for (const part of ["What it means", "What to look at", "What to do"])
    if (!text.includes(`## ${part}\n`)) problems.push(`the runbook ${name} has no section: ${part}`);
}

const sources = globSync("services/*/src/**/*.ts", { cwd: root })
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");
const made = (metric: string): boolean =>
  sources.includes(`"${metric}"`) ||
  sources.includes(`\`\${prefix}${metric.replace(/^turnpike_(gateway|relay)/, "")}\``);
const queries = [
  rules,
  ...DASHBOARDS.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries.map(([expr]) => expr))),
];
const used = new Set(queries.flatMap((text) => text.match(/\b(?:turnpike|gen_ai)_[a-z_]+[a-z](?=[{[ )/])/g) ?? []));
for (const label of ["gen_ai_request_model", "gen_ai_provider_name"]) used.delete(label);
for (const metric of used)
  if (!made(metric.replace(/_(bucket|sum|count)$/, "")) && !made(metric)) problems.push(`no service exports ${metric}`);

for (const problem of problems) console.error(problem);
console.log(`${alerts.length} alerts, ${runbooks.length} runbooks, ${used.size} metrics in use`);
process.exit(problems.length === 0 ? 0 : 1);
