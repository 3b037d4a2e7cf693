import { belowCostFound } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { DAY_SECONDS, getDayStart } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import { belowCostCount, marginsCheckedAt } from "../store/metrics.ts";

const TIMEOUT_MS = 10_000;
/** A notice names this many; the dashboard shows all. */
const NAMED_MAX = 20;
const PERCENT = 100;

type Kind = "model" | "channel";
type Found = { readonly kind: Kind; readonly name: string; readonly charged: number; readonly cost: number };
type Sum = { readonly _id: string | number; readonly name: string; readonly charged: number; readonly cost: number };

type Deps = {
  readonly collections: Pick<Collections, "marginDays" | "state">;
  readonly options: () => OptionsInForce;
  readonly bus: Pick<Bus, "notify">;
  readonly nowSeconds: () => number;
};

const GROUPS = {
  model: { _id: "$modelName", name: { $last: "$modelName" } },
  channel: { _id: "$channelId", name: { $last: "$channelName" } },
} as const;

/** What was sold below the margin of the option, since yesterday (UTC), the largest loss first. */
async function findBelowCost({ collections, options, nowSeconds }: Deps, kind: Kind): Promise<readonly Found[]> {
  const share = options().number("MarginAlertPercent") / PERCENT;
  const day = { $gte: getDayStart(nowSeconds()) - DAY_SECONDS };
  const margin = { $subtract: ["$charged", "$cost"] };
  const sums = collections.marginDays.aggregate<Sum>(
    [
      { $match: { day, costCount: { $gt: 0 } } },
      { $group: { ...GROUPS[kind], charged: { $sum: "$costQuota" }, cost: { $sum: "$cost" } } },
      { $match: { $expr: { $lt: [margin, { $multiply: ["$cost", share] }] } } },
      { $set: { margin } },
      { $sort: { margin: 1, _id: 1 } },
    ],
    { maxTimeMS: TIMEOUT_MS },
  );
  const rows = await sums.toArray();
  return rows.map(({ _id, name, charged, cost }) => ({
    kind,
    name: kind === "channel" ? `#${_id} ${name}`.trim() : name,
    charged,
    cost,
  }));
}

const toKey = ({ kind, name }: Found): string => `${kind}:${name}`;

/**
 * Looks for models and channels that are sold below cost: exports their number, and publishes those that were not published before on
 * the same day. One replica at a time runs it.
 */
export function createBelowCostCheck(deps: Deps) {
  const { state } = deps.collections;
  return async function checkMargins(): Promise<void> {
    const found: Found[] = [];
    for (const kind of ["model", "channel"] as const) {
      const rows = await findBelowCost(deps, kind);
      belowCostCount.set({ kind }, rows.length);
      found.push(...rows);
    }
    marginsCheckedAt.set(deps.nowSeconds());
    const day = getDayStart(deps.nowSeconds());
    const last = await state.findOne({ _id: "below_cost" }, { maxTimeMS: TIMEOUT_MS });
    const known = new Set(last?.belowCost?.day === day ? last.belowCost.keys : []);
    const fresh = found.filter((each) => !known.has(toKey(each)));
    if (fresh.length === 0) return;
    const keys = [...known, ...fresh.map(toKey)];
    await state.updateOne({ _id: "below_cost" }, { $set: { belowCost: { day, keys } } }, { upsert: true });
    deps.bus.notify(belowCostFound, { total: fresh.length, items: fresh.slice(0, NAMED_MAX) });
  };
}
