import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { findGroupRatio } from "@turnpike/contract/pricing/price-tables";
import type { ImportContext } from "./tables/import-context.ts";
import { readFittingOptions, readStoredOptions } from "./tables/import-options.ts";

type Counts = Readonly<Record<string, number>>;

const describe = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`)
    .join(", ");

/**
 * States which groups of the imported rows have no ratio: the source sells them at ratio 1, here their calls are refused
 * (docs/decisions/083-a-group-without-a-ratio-is-not-sold.md).
 */
export async function reportGroupsWithoutRatio(context: ImportContext): Promise<void> {
  const stored = [...(await readStoredOptions(context))].map(([key, value]) => ({ key, value }));
  // A dry run has not stored the options of the source.
  const tables = toPriceTables(optionsInForce([...stored, ...readFittingOptions(context).fitting]));
  const userGroups = ["", ...Object.keys(tables.groupGroupRatio)];
  for (const [group, counts] of context.groups.list())
    if (!userGroups.some((userGroup) => findGroupRatio(tables, group, userGroup) !== undefined))
      context.report.state(
        `group ${group} (${describe(counts)}) has no ratio: its calls are refused until GroupRatio has one for it`,
      );
}
