/**
 * Runs the steps of `.ci/run`, which installs what they need before: all of them, or those that are named. Ends with
 * "N passed, N failed" and exit status 0 exactly when nothing failed; the same as JSON in .turnpike/reports/ci.json.
 *
 * CI_MISSING_PROGRAMS: programs that could not be installed, separated by blanks. CI_INSTALL_SECONDS: how long the
 * installation took. ENGINE_TOOL, CLUSTER_TOOL: see tools.ts.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endCommands } from "./run-command.ts";
import { createRunner } from "./runner.ts";
import type { StepResult } from "./step.ts";
import { createSteps, FOLDER } from "./steps.ts";
import { describeSummary, summarize } from "./summary.ts";

/** Later than this nothing is repeated. */
const REPEAT_UNTIL_SECONDS = 3_600;

const installSeconds = Number(process.env["CI_INSTALL_SECONDS"] ?? "0");
const missingPrograms = (process.env["CI_MISSING_PROGRAMS"] ?? "").split(" ").filter((name) => name !== "");
const startedAtMs = Date.now();
const getSeconds = (): number => installSeconds + Math.round((Date.now() - startedAtMs) / 1_000);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

mkdirSync(FOLDER, { recursive: true });
const { steps: all, tools } = createSteps(process.env);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`there is no step ${unknown.join(", ")}; the steps are ${all.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const steps = named.length === 0 ? all : all.filter(({ name }) => named.includes(name));

const stopTools = (): Promise<unknown> => Promise.all(tools.map((tool) => tool.stop()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    endCommands();
    void stopTools().finally(() => process.exit(130));
  });

const runner = createRunner({ folder: FOLDER, missingPrograms, print, stopTools });
const first: StepResult[] = [
  {
    name: "install",
    state: "passed",
    seconds: installSeconds,
    passed: 1,
    failures: [],
    unstable: [],
    files: {},
  },
];
for (const step of steps) {
  print(`\n=== ${step.name} (${getSeconds()} s)`);
  const result = await runner.run(step);
  first.push(result);
  if (result.state !== "passed") print(`${result.state}: ${step.name}${result.reason ? `: ${result.reason}` : ""}`);
}
const hasTime = getSeconds() < REPEAT_UNTIL_SECONDS;
const results = hasTime ? await runner.repeatFailed(steps, first) : first;
await stopTools();
const summary = summarize(results, { seconds: getSeconds(), missingPrograms });
writeFileSync(join(FOLDER, "ci.json"), `${JSON.stringify(summary, undefined, 2)}\n`);
for (const line of describeSummary(summary)) print(line);
// What a step left running must not keep this process alive.
process.exit(summary.failed === 0 ? 0 : 1);
