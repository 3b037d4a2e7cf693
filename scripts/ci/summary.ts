import type { Failure, StepResult } from "./step.ts";

const SLOWEST = 20;
const UNSTABLE_MAX = 5;
const LINE_CHARACTERS_MAX = 240;

export type Summary = {
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly missingPrograms: readonly string[];
  readonly steps: readonly StepResult[];
  readonly slowestFiles: readonly { readonly file: string; readonly seconds: number }[];
};

/** Counts a run. More than five unstable tests are no accident: then they count as failed. */
export function summarize(
  steps: readonly StepResult[],
  facts: { readonly seconds: number; readonly missingPrograms: readonly string[] },
): Summary {
  const unstable = steps.reduce((sum, step) => sum + step.unstable.length, 0);
  const failures = steps.reduce((sum, step) => sum + step.failures.length, 0);
  const refused = unstable > UNSTABLE_MAX ? unstable : 0;
  const slowestFiles = steps
    .flatMap(({ files }) => Object.entries(files).map(([file, seconds]) => ({ file, seconds })))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  const passed = steps.reduce((sum, step) => sum + step.passed, 0) - refused;
  return { ...facts, passed, failed: failures + refused, steps, slowestFiles };
}

const cut = (line: string): string => line.replaceAll("\n", " ").slice(0, LINE_CHARACTERS_MAX);
const describe = ({ file, title, error }: Failure, step: string): string =>
  cut(`${file ?? step} > ${title}: ${error.split("\n").find((line) => line.trim() !== "") ?? ""}`);

function toTable(steps: readonly StepResult[]): string[] {
  const width = Math.max(...steps.map(({ name }) => name.length));
  return steps.map(({ name, state, reason, seconds, passed, failures }) => {
    const tests = state === "not tested" ? (reason ?? "") : `${passed} passed, ${failures.length} failed`;
    return `${name.padEnd(width)}  ${state.padEnd(10)}  ${String(seconds).padStart(5)} s  ${tests}`;
  });
}

/** The last lines of a run: what happened, then what failed, then the count. */
export function describeSummary({ steps, passed, failed, missingPrograms, slowestFiles, seconds }: Summary): string[] {
  const failures = steps.flatMap((step) => step.failures.map((failure) => ({ step: step.name, ...failure })));
  const unstable = steps.flatMap((step) => step.unstable.map((failure) => describe(failure, step.name)));
  const isUnstable = failed > failures.length;
  return [
    ...(failures.length === 0 ? [] : ["", "=== what failed"]),
    ...failures.map((failure) => `\n--- ${failure.file ?? failure.step} > ${failure.title}\n${failure.error}`),
    "",
    `=== summary (${seconds} s)`,
    ...toTable(steps),
    "",
    "the slowest test files:",
    ...slowestFiles.map((entry) => `${String(entry.seconds).padStart(5)} s  ${entry.file}`),
    "",
    ...(missingPrograms.length === 0 ? [] : [`could not be installed: ${missingPrograms.join(", ")}`]),
    ...steps.flatMap(({ name, state, reason, leftOut = [] }) =>
      (state === "not tested" ? [reason ?? ""] : leftOut).map((part) => `not tested: ${name}: ${cut(part)}`),
    ),
    ...unstable.map((line) => `UNSTABLE: ${line}`),
    ...(isUnstable ? [`FAILED: more than ${UNSTABLE_MAX} tests are unstable`] : []),
    ...failures.map((failure) => `FAILED: ${failure.step}: ${describe(failure, failure.step)}`),
    "",
    `${passed} passed, ${failed} failed`,
  ];
}
