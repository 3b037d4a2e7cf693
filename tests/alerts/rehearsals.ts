import { readFileSync } from "node:fs";
import { RULES } from "./prometheus.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { CALL_FAULTS } from "./call-faults.ts";
import { SERVICE_FAULTS } from "./service-faults.ts";

export const REHEARSALS: readonly Rehearsal[] = [...SERVICE_FAULTS, ...CALL_FAULTS];

/** Alerts rehearsed by promtool only (rules.test.yaml), and the reason. */
export const REHEARSED_BY_PROMTOOL: Readonly<Record<string, string>> = {
  TurnpikeLedgerUnchecked: "takes an hour without a reconciliation",
  TurnpikeBackupOld: "comes from kube-state-metrics, outside the system",
};

/**
 * How each alert of the rules is rehearsed, in the order of the rules; throws if an alert has no rehearsal, or a
 * rehearsal has no alert.
 */
export function listRehearsals(): { readonly alert: string; readonly how: string }[] {
  const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
  const live = new Map(REHEARSALS.flatMap(({ alerts: names, fault }) => names.map((name) => [name, fault] as const)));
  const stray = [...live.keys(), ...Object.keys(REHEARSED_BY_PROMTOOL)].filter((name) => !alerts.includes(name));
  if (stray.length > 0) throw new Error(`no such alert: ${stray.join(", ")}`);
  const missing = alerts.filter((name) => !live.has(name) && REHEARSED_BY_PROMTOOL[name] === undefined);
  if (missing.length > 0) throw new Error(`no rehearsal for ${missing.join(", ")}`);
  return alerts.map((alert) => {
    const fault = live.get(alert);
    return { alert, how: fault ?? `promtool only: ${REHEARSED_BY_PROMTOOL[alert]}` };
  });
}
