import type { GetTokenBalanceResponse } from "@turnpike/proto/billing/v1/token_usage_service";
import { DAY_SECONDS, getDayStart } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import { getDayId } from "../store/sum-ids.ts";
import { type BudgetPeriod, getPeriodStart } from "./budget-period.ts";

type Deps = { readonly collections: Pick<Collections, "tokenDays" | "userDays">; readonly nowSeconds: () => number };
type PeriodUsage = Pick<GetTokenBalanceResponse, "usedToday" | "usedThisWeek" | "usedThisMonth">;

const TIMEOUT_MS = 10_000;

/** Reads what a token, or all tokens of a user, used in the day, week and month (UTC) that contain this moment; in quota. */
export function createPeriodUsageReader({ collections: { tokenDays, userDays }, nowSeconds }: Deps) {
  return async function readPeriodUsage(of: "token" | "user", id: number): Promise<PeriodUsage> {
    const now = nowSeconds();
    const first = Math.min(getPeriodStart("week", now), getPeriodStart("month", now));
    const count = (getDayStart(now) - first) / DAY_SECONDS + 1;
    const days = Array.from({ length: count }, (_, index) => first + index * DAY_SECONDS);
    const _id = { $in: days.map((day) => getDayId(day, id)) };
    const options = { maxTimeMS: TIMEOUT_MS, projection: { quota: 1 } };
    const found = of === "token" ? tokenDays.find({ _id }, options) : userDays.find({ _id }, options);
    const quotas = new Map((await found.toArray()).map((row) => [row._id, row.quota]));
    const sumOf = (period: BudgetPeriod): number =>
      days
        .filter((day) => day >= getPeriodStart(period, now))
        .reduce((sum, day) => sum + (quotas.get(getDayId(day, id)) ?? 0), 0);
    return { usedToday: sumOf("day"), usedThisWeek: sumOf("week"), usedThisMonth: sumOf("month") };
  };
}
