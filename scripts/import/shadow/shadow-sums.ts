import type { Dollars } from "../litellm/dollars.ts";
import type { ShadowPrice } from "./shadow-price.ts";

/** Sums of calls in both bills; `compared` are the calls whose price here is known. */
export type ShadowSum = {
  calls: number;
  litellmDollars: Dollars;
  litellmUnits: number;
  comparedCalls: number;
  comparedLitellmUnits: number;
  units: number;
};

/** What calls are added up by. */
export const KINDS = ["total", "model", "key", "user", "day", "reason"] as const;
export type Kind = (typeof KINDS)[number];

const noSum = (): ShadowSum => ({
  calls: 0,
  litellmDollars: 0n,
  litellmUnits: 0,
  comparedCalls: 0,
  comparedLitellmUnits: 0,
  units: 0,
});

/** Adds calls up, at constant memory for each model, key, user and day. */
export function createShadowSums() {
  const sums = new Map<Kind, Map<string, ShadowSum>>(KINDS.map((kind) => [kind, new Map()]));
  return {
    add(names: Readonly<Record<Exclude<Kind, "total" | "reason">, string>>, spend: Dollars, price: ShadowPrice): void {
      for (const [kind, name] of Object.entries({ total: "", ...names, reason: price.reason }) as [Kind, string][]) {
        const ofKind = sums.get(kind) ?? new Map<string, ShadowSum>();
        const sum = ofKind.get(name) ?? noSum();
        ofKind.set(name, sum);
        sum.calls++;
        sum.litellmDollars += spend;
        sum.litellmUnits += price.litellmUnits;
        if (price.units === undefined) continue;
        sum.comparedCalls++;
        sum.comparedLitellmUnits += price.litellmUnits;
        sum.units += price.units;
      }
    },
    /** The sums of a kind, by name. */
    read: (kind: Kind): [string, ShadowSum][] =>
      [...(sums.get(kind) ?? [])].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  };
}
