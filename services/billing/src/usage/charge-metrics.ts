import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { modelFamily } from "@turnpike/shared/telemetry/model-family";
import { chargedQuota, costQuota } from "../store/metrics.ts";

/** Groups are the operator's; what is beyond this number shares one label. */
const GROUPS_MAX = 50;
const GROUP_LENGTH_MAX = 64;
const groups = new Set<string>();

function getGroupLabel(group: string): string {
  const name = group.slice(0, GROUP_LENGTH_MAX);
  if (groups.has(name)) return name;
  if (groups.size >= GROUPS_MAX) return "other";
  groups.add(name);
  return name;
}

/** Counts what posted calls were charged and what they cost. Estimates of dead relays' calls are left out: they are replaced. */
export function countCharges(records: readonly UsageRecord[]): void {
  for (const { type, recovered, group: name, modelName, quota, cost } of records) {
    if (type !== LOG_TYPE.consume || recovered === true) continue;
    const [group, family] = [getGroupLabel(name), modelFamily(modelName)];
    chargedQuota.inc({ group, family, cost: cost === undefined ? "unknown" : "known" }, quota);
    if (cost !== undefined) costQuota.inc({ group, family }, cost);
  }
}
