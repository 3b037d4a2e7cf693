import { readFileSync } from "node:fs";
import { RULES } from "./prometheus.ts";
import type { Rehearsal } from "./scene.ts";
import { CALL_TROUBLES } from "./troubles-calls.ts";
import { SERVICE_TROUBLES } from "./troubles-services.ts";

export const REHEARSALS: readonly Rehearsal[] = [...SERVICE_TROUBLES, ...CALL_TROUBLES];

/** Alerts rehearsed by promtool only (rules.test.yaml), and why. */
export const REHEARSED_BY_PROMTOOL: Readonly<Record<string, string>> = {
  TurnpikeLedgerUnchecked: "takes an hour without a comparison of the books",
  TurnpikeBackupOld: "is told by kube-state-metrics, outside the system",
};

/**
 * How each alert of the rules is rehearsed, in the order of the rules; throws if an alert has no rehearsal, or a
 * rehearsal has no alert.
 */
export function rehearsalsOfAlerts(): { readonly alert: string; readonly how: string }[] {
  const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
  const live = new Map(
    REHEARSALS.flatMap(({ alerts: names, trouble }) => names.map((name) => [name, trouble] as const)),
  );
  const stray = [...live.keys(), ...Object.keys(REHEARSED_BY_PROMTOOL)].filter((name) => !alerts.includes(name));
  if (stray.length > 0) throw new Error(`no such alert: ${stray.join(", ")}`);
  const missing = alerts.filter((name) => !live.has(name) && REHEARSED_BY_PROMTOOL[name] === undefined);
  if (missing.length > 0) throw new Error(`nobody rehearses ${missing.join(", ")}`);
  return alerts.map((alert) => {
    const trouble = live.get(alert);
    return { alert, how: trouble ?? `promtool alone: ${REHEARSED_BY_PROMTOOL[alert]}` };
  });
}
