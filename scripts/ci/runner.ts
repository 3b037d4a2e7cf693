import { rmSync } from "node:fs";
import { join } from "node:path";
import { joinResults, judge, NOTHING, readServiceLines } from "./judge.ts";
import { runCommand } from "./run-command.ts";
import type { Readiness, Step, StepResult } from "./step.ts";

const RESET_SECONDS = 180;
/** More failed files and steps than this are no accident: none is repeated. */
const REPEATED_MAX = 12;

export type RunnerOptions = {
  /** Folder of reports and of the output of each step. */
  readonly folder: string;
  /** Programs that could not be installed. */
  readonly missingPrograms: readonly string[];
  readonly print: (line: string) => void;
  /** Ends the tools, so that nothing else runs while steps are repeated. */
  readonly stopTools: () => Promise<unknown>;
};

type Env = Readonly<Record<string, string>>;

const getEnv = (ready: Readiness | undefined): Env => (ready?.state === "ready" ? (ready.env ?? {}) : {});

/** Whether what failed can run once more: of a step with a report, its files. */
const isRepeatable = ({ isRepeatable: may = false, reportFile }: Step, { failures }: StepResult): boolean =>
  may && failures.length > 0 && (reportFile === undefined || failures.every(({ file }) => file !== undefined));

/** Runs steps, and once more at the end what failed and may be repeated. */
export function createRunner({ folder, missingPrograms, print, stopTools }: RunnerOptions) {
  const getOutputFile = ({ name }: Step): string => join(folder, `${name}.log`);

  async function execute(step: Step, env: Env): Promise<StepResult> {
    if (step.reportFile !== undefined) rmSync(step.reportFile, { force: true });
    const file = getOutputFile(step);
    const options = { limitSeconds: step.limitSeconds, env: { ...step.env, ...env }, file };
    return judge(step, await runCommand(step.command, options), file);
  }

  /** Runs what failed once more, alone. */
  async function repeat(step: Step, first: StepResult): Promise<StepResult> {
    print(`\n=== once more: ${step.name}`);
    if (step.reset)
      await runCommand(step.reset, { limitSeconds: RESET_SECONDS, file: join(folder, "reset.log"), isQuiet: true });
    const files = [...new Set(first.failures.flatMap(({ file }) => file ?? []))];
    const alone: Env = step.reportFile === undefined ? {} : { TEST_FILES: files.join(" "), VITEST_MAX_WORKERS: "1" };
    return joinResults(first, await execute(step, { ...getEnv(await step.tool?.prepare()), ...alone }));
  }

  return {
    async run(step: Step): Promise<StepResult> {
      const none = { ...NOTHING, name: step.name };
      const missing = (step.programs ?? []).filter((program) => missingPrograms.includes(program));
      if (missing.length > 0)
        return { ...none, state: "not tested", reason: `${missing.join(", ")} could not be installed` };
      const startedAtMs = Date.now();
      const ready = await step.tool?.prepare();
      const seconds = Math.round((Date.now() - startedAtMs) / 1_000);
      if (ready?.state === "unavailable") return { ...none, state: "not tested", reason: ready.reason, seconds };
      if (ready?.state === "failed")
        return { ...none, state: "failed", seconds, failures: [{ title: ready.reason, error: ready.output }] };
      const aside = step.meanwhile?.prepare();
      const result = await execute(step, getEnv(ready));
      await aside;
      for (const line of result.failures.length > 0 ? readServiceLines(getOutputFile(step)) : []) print(line);
      return { ...result, seconds: result.seconds + seconds, leftOut: ready?.leftOut ?? [] };
    },
    /** The results after a second run of what failed and may be repeated; unchanged if that is too much. */
    async repeatFailed(steps: readonly Step[], results: readonly StepResult[]): Promise<StepResult[]> {
      const failed = results.flatMap(({ name, failures }) => failures.map(({ file }) => file ?? name));
      if (new Set(failed).size > REPEATED_MAX) {
        print(`more than ${REPEATED_MAX} files and steps failed: none is repeated`);
        return [...results];
      }
      const after = new Map(results.map((result) => [result.name, result]));
      const repeatAll = async (those: readonly Step[]): Promise<void> => {
        for (const step of those) {
          const result = after.get(step.name);
          if (result !== undefined && isRepeatable(step, result)) after.set(step.name, await repeat(step, result));
        }
      };
      await repeatAll(steps.filter(({ tool }) => tool !== undefined));
      await stopTools();
      await repeatAll(steps.filter(({ tool }) => tool === undefined));
      return [...after.values()];
    },
  };
}
