import { existsSync, readFileSync } from "node:fs";
import type { CommandResult } from "./run-command.ts";
import type { Failure, Step, StepResult } from "./step.ts";
import { readTestReport } from "./vitest-report.ts";

const OUTPUT_LINES = 40;
const SERVICE_LINES_AFTER = 13;
const SERVICE_LINES_MAX = 60;
const LINE_CHARACTERS_MAX = 600;
/** A line of `make fault` and its like. */
const FAILED_SCENARIO = /^FAIL\s/;
const SCENARIOS_MAX = 10;

/** A result without anything in it. */
export const NOTHING = { seconds: 0, passed: 0, failures: [], unstable: [], files: {} } as const;

const readLines = (path: string): string[] =>
  (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []).map((line) =>
    line.slice(0, LINE_CHARACTERS_MAX),
  );

/** What the services logged during failed tests, as tests/lib/after-failure.ts prints it. */
export const readServiceLines = (outputFile: string): string[] =>
  readLines(outputFile)
    .flatMap((line, index, all) =>
      line.startsWith("meanwhile, ") ? all.slice(index, index + SERVICE_LINES_AFTER) : [],
    )
    .slice(-SERVICE_LINES_MAX);

/** What a finished command means for its step. */
export function judge(step: Step, { isDone, ending, seconds }: CommandResult, outputFile: string): StepResult {
  const base = { ...NOTHING, name: step.name, seconds };
  const fail = (): StepResult => {
    const lines = readLines(outputFile);
    // Scenarios that failed are named first: what the services logged afterwards may be long.
    const named = lines.filter((line) => FAILED_SCENARIO.test(line)).slice(0, SCENARIOS_MAX);
    const error = [...named, ...lines.slice(-OUTPUT_LINES)].join("\n");
    return { ...base, state: "failed", failures: [{ title: ending, error }] };
  };
  if (step.reportFile === undefined) return isDone ? { ...base, state: "passed", passed: 1 } : fail();
  const report = readTestReport(step.reportFile);
  if (!report || (!isDone && report.failures.length === 0)) return { ...fail(), passed: report?.passed ?? 0 };
  return { ...base, ...report, state: report.failures.length === 0 ? "passed" : "failed" };
}

const isSame = (one: Failure, other: Failure): boolean => one.file === other.file && one.title === other.title;

/** The result of a step whose failed files, or which itself, ran once more: what passed then is unstable. */
export function joinResults(first: StepResult, second: StepResult): StepResult {
  const unstable = first.failures.filter((failure) => !second.failures.some((other) => isSame(failure, other)));
  const added = second.failures.filter((failure) => !first.failures.some((other) => isSame(failure, other)));
  return {
    ...first,
    state: second.state,
    seconds: first.seconds + second.seconds,
    // All tests of a file with failures are repeated; those that passed the first time are counted already.
    passed: Math.max(0, first.passed + unstable.length - added.length),
    failures: second.failures,
    unstable: second.state === "passed" ? first.failures : unstable,
  };
}
