import type { Prometheus } from "./prometheus.ts";
import { keepDoing } from "./scene.ts";

/** Without thresholds in time: a slow machine that runs this beside other things may meet them by itself. */
const OF_THE_MACHINE = ["TurnpikeLatencyBudget", "TurnpikeEventLoopSlow"];
/** Their windows reach back over the acts that follow. */
export const LASTING = ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow"] as const;
const LOOK_MS = 500;

export type Watch = ReturnType<typeof createWatch>;

/** Looks all the time at what fires: what nobody expects at that moment is a fault. */
export function createWatch(prometheus: Prometheus) {
  let expected = new Set<string>();
  let firing: readonly string[] = [];
  const faults = new Map<string, string>();
  let now = "nothing has happened yet";
  const look = async (): Promise<void> => {
    const alerts = await prometheus.firing();
    firing = [...new Set(alerts.map(({ name }) => name))];
    for (const { name, labels } of alerts) {
      if (expected.has(name) || OF_THE_MACHINE.includes(name)) continue;
      const { alertname: _, ...others } = labels;
      faults.set(name, `${name} ${JSON.stringify(others)} fired while ${now}`);
    }
  };
  const stop = keepDoing(look, LOOK_MS);
  return {
    /** What may fire from now on. */
    expect(names: readonly string[], what: string): void {
      expected = new Set(names);
      now = what;
    },
    fires: (name: string): boolean => firing.includes(name),
    /** Whether nothing fires any more but these. */
    isQuiet: (...but: string[]): boolean => firing.every((name) => but.includes(name) || OF_THE_MACHINE.includes(name)),
    firing: (): readonly string[] => firing,
    /** What fired and should not have. */
    faults: (): string[] => [...faults.values()],
    stop,
  };
}
