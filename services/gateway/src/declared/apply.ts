import type { DeclaredDrift, DeclaredObject, DeclaredReport } from "@turnpike/contract/api/declared";
import type { Console } from "./console.ts";
import type { Plan } from "./plan/plan.ts";
import { toKey } from "./plan/step.ts";

/** What an apply did. It stops at the first failure. */
export type Outcome = {
  readonly done: readonly DeclaredDrift[];
  readonly failed: { readonly changes: readonly DeclaredDrift[]; readonly message: string } | undefined;
  readonly skipped: readonly DeclaredDrift[];
  readonly objects: readonly DeclaredObject[];
};

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs the steps of a plan in their order. */
export async function runPlan(plan: Plan): Promise<Outcome> {
  const objects = new Map(plan.before.map((object) => [toKey(object), object]));
  const done: DeclaredDrift[] = [];
  for (const object of plan.unchanged) objects.set(toKey(object), object);
  for (const [index, { changes, run }] of plan.steps.entries()) {
    try {
      for (const object of await run()) objects.set(toKey(object), object);
    } catch (error) {
      const skipped = plan.steps.slice(index + 1).flatMap((step) => step.changes);
      return { done, failed: { changes, message: describe(error) }, skipped, objects: [...objects.values()] };
    }
    for (const change of changes) if (change.action === "delete") objects.delete(toKey(change));
    done.push(...changes);
  }
  return { done, failed: undefined, skipped: [], objects: [...objects.values()] };
}

/** Facts about an apply or a comparison for the report. */
export type ReportFacts = Pick<DeclaredReport, "source" | "interval" | "problem" | "objects" | "drifts" | "salt"> & {
  readonly appliedAt: number;
};

/** Stores what the console shows of the declared configuration. */
export const storeReport = (console: Console, { appliedAt, ...facts }: ReportFacts): Promise<null> =>
  console.put("/api/declared/report", {
    ...facts,
    source: facts.source.slice(0, 500),
    applied_at: appliedAt,
    checked_at: Math.floor(Date.now() / 1_000),
  });
