import { getPriceDifferences } from "@turnpike/contract/options/price-differences";
import { PRICE_OPTIONS, type PriceKey } from "@turnpike/contract/options/price-options";
import type { AuditAction } from "@turnpike/shared/audit/audit-outbox";

type Side = "before" | "after";

/** The audit row of a changed price option, in the form of other options: of tables only the entries that differ. */
export function toAuditAction(change: { key: PriceKey; before: string; after: string }): AuditAction {
  const { key } = change;
  const differences = getPriceDifferences(change.before, change.after);
  const toText = (side: Side): string => {
    if (PRICE_OPTIONS[key].type !== "json") return JSON.stringify({ [key]: change[side] });
    const entries = differences.flatMap(({ name, [side]: text }) =>
      text === undefined ? [] : [[name, JSON.parse(text) as unknown] as const],
    );
    return JSON.stringify({ [key]: Object.fromEntries(entries) });
  };
  return { action: "option.set", target: `option:${key}`, before: toText("before"), after: toText("after") };
}
