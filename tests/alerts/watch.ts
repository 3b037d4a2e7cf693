import type { Prometheus } from "./prometheus.ts";
import { repeat } from "./rehearsal.ts";

/** Alerts without time thresholds may fire on a slow machine that runs other work as well. */
const TIMING_ALERTS = ["TurnpikeLatencyBudget", "TurnpikeEventLoopSlow"];
/** Their windows extend over the following acts. */
export const LASTING = ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow"] as const;
const LOOK_MS = 500;

export type Watch = ReturnType<typeof createWatch>;

/** Watches firing alerts continuously: an alert that is not expected at that moment is an error. */
export function createWatch(prometheus: Prometheus) {
  let expected = new Set<string>();
  let firing: readonly string[] = [];
  const unexpected = new Map<string, string>();
  let now = "nothing has happened yet";
  const look = async (): Promise<void> => {
    const alerts = await prometheus.firing();
    firing = [...new Set(alerts.map(({ name }) => name))];
    for (const { name, labels } of alerts) {
      if (expected.has(name) || TIMING_ALERTS.includes(name)) continue;
      const { alertname: _, ...others } = labels;
      unexpected.set(name, `${name} ${JSON.stringify(others)} fired while ${now}`);
    }
  };
  const stop = repeat(look, LOOK_MS);
  return {
    /** Alerts that may fire from now on. */
    expect(names: readonly string[], what: string): void {
      expected = new Set(names);
      now = what;
    },
    fires: (name: string): boolean => firing.includes(name),
    /** Whether no alerts fire except these. */
    isQuiet: (...but: string[]): boolean => firing.every((name) => but.includes(name) || TIMING_ALERTS.includes(name)),
    firing: (): readonly string[] => firing,
    /** Alerts that fired unexpectedly. */
    unexpected: (): string[] => [...unexpected.values()],
    stop,
  };
}
