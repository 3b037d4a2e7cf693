import { type Outcome, runPlan, storeReport } from "./apply.ts";
import { CallBudget } from "./call-budget.ts";
import type { Configuration } from "./configuration.ts";
import type { Console } from "./console.ts";
import { createPlan, type Plan } from "./plan/plan.ts";
import { readReport } from "./site.ts";
import { toCanonical } from "./values.ts";

export type ApplyOptions = {
  readonly prune: boolean;
  /** Shown in the console. */
  readonly source: string;
  /** Seconds between two comparisons; 0 for a single apply. */
  readonly interval: number;
};

const now = (): number => Math.floor(Date.now() / 1_000);

/** Changes the site to what is declared, and stores the report, also of an apply that failed. */
export async function applyConfiguration(
  console: Console,
  configuration: Configuration,
  options: ApplyOptions,
): Promise<{ readonly plan: Plan; readonly outcome: Outcome }> {
  const plan = await createPlan(console, configuration, options);
  const outcome = await runPlan(plan);
  const { failed, skipped } = outcome;
  await storeReport(console, {
    source: options.source,
    interval: options.interval,
    problem: failed?.message ?? "",
    salt: plan.salt,
    objects: [...outcome.objects],
    drifts: [...(failed?.changes ?? []), ...skipped],
    appliedAt: failed ? plan.appliedAt : now(),
  });
  return { plan, outcome };
}

/** Stores what differs; changes nothing of the site. */
async function reportDrift(console: Console, configuration: Configuration, options: ApplyOptions): Promise<Plan> {
  const plan = await createPlan(console, configuration, { prune: false });
  await storeReport(console, {
    source: options.source,
    interval: options.interval,
    problem: "",
    salt: plan.salt,
    objects: [...plan.before],
    drifts: [...plan.drifts],
    appliedAt: plan.appliedAt,
  });
  return plan;
}

/** Stores that the configuration could not be read or compared, and keeps what is known. */
async function reportProblem(console: Console, problem: string, options: ApplyOptions): Promise<void> {
  const known = await readReport(console);
  await storeReport(console, {
    source: options.source,
    interval: options.interval,
    problem,
    salt: known?.salt ?? "",
    objects: known?.objects ?? [],
    drifts: known?.drifts ?? [],
    appliedAt: known?.applied_at ?? 0,
  });
}

export type ReconcileDeps = {
  readonly console: Console;
  /** Reads the files again; throws an error that lists their problems. */
  readonly read: () => Configuration;
  readonly print: (line: string) => void;
  /** True: a drift is corrected at once; false: it is shown until the files change. */
  readonly correct: boolean;
  readonly signal: AbortSignal;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

const toText = ({ options, prices, groups, ...lists }: Configuration): string =>
  toCanonical({ ...lists, options: [...options], prices: [...prices], groups: [...groups] });

/**
 * Compares the site with the files until it is stopped: applies them at the start and when they change, and reports every
 * drift to the console.
 */
export async function reconcile(deps: ReconcileDeps, options: ApplyOptions): Promise<void> {
  const { console, print, signal } = deps;
  let applied = "";
  let last = "";
  const printOnce = (line: string): void => {
    if (line !== last) print(line);
    last = line;
  };
  const runOnce = async (): Promise<void> => {
    const configuration = deps.read();
    const text = toText(configuration);
    if (text !== applied || deps.correct) {
      const { outcome } = await applyConfiguration(console, configuration, options);
      if (outcome.failed) throw new Error(`applied in part: ${outcome.failed.message}`);
      if (outcome.done.length > 0) print(`${outcome.done.length} changes applied`);
      applied = text;
      printOnce("the site is as declared");
    } else {
      const { drifts } = await reportDrift(console, configuration, options);
      const names = drifts.map(({ kind, name }) => `${kind} ${name}`).join(", ");
      printOnce(drifts.length === 0 ? "the site is as declared" : `drift: ${names}`);
    }
  };
  const budget = new CallBudget(Date.now());
  while (!signal.aborted) {
    const before = console.calls();
    const startedMs = Date.now();
    try {
      await runOnce();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      printOnce(`problem: ${message}`);
      await reportProblem(console, message, options).catch((failure: unknown) =>
        printOnce(`no report: ${String(failure)}`),
      );
    }
    const calls = console.calls() - before;
    budget.take(calls, Date.now());
    const untilNextMs = options.interval * 1_000 - (Date.now() - startedMs);
    await pause(Math.max(untilNextMs, budget.getWaitMs(calls)), signal);
  }
}
