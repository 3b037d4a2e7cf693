import { DATA_RANGE_SECONDS_MAX, type UsageHour, UsageQuery } from "@turnpike/contract/api/data";
import { OVERVIEW_RANGE_SECONDS_MAX, OverviewQuery } from "@turnpike/contract/api/report";
import type { Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { toOverview } from "../presenters/overview.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const DAY_SECONDS = 86_400;
const READ_TIMEOUT_MS = 15_000;

const toUsageHour = (hour: Rollup): UsageHour => ({
  user_id: hour.userId,
  username: hour.username,
  model_name: hour.modelName,
  created_at: hour.createdAt,
  token_used: hour.tokenUsed,
  count: hour.count,
  quota: hour.quota,
});

/** No end means now, no start the longest range that ends there. */
function rangeOf(query: { start_timestamp: number; end_timestamp: number }) {
  const endSeconds = query.end_timestamp || Math.floor(Date.now() / 1000);
  return { startSeconds: query.start_timestamp || endSeconds - DATA_RANGE_SECONDS_MAX, endSeconds };
}

const rangeTooLong = (seconds: number): AppError =>
  new AppError("range_too_long", "the range is too long", { params: { days: String(seconds / DAY_SECONDS) } });

/** Usage by hour and model, for the dashboard. Mounted at /api/data. */
export function dataRoutes({ services: { logs, reports }, route, options }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: UsageQuery }, async ({ query }, { call }) => {
        const asked = { userId: 0, username: query.username, ...rangeOf(query) };
        const found = await logs.listRollups(asked, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toUsageHour));
      }),
    )
    .get(
      "/overview",
      route({ access: "admin", query: OverviewQuery }, async ({ query }, { call }) => {
        const range = rangeOf(query);
        if (range.endSeconds - range.startSeconds > OVERVIEW_RANGE_SECONDS_MAX)
          throw rangeTooLong(OVERVIEW_RANGE_SECONDS_MAX);
        const found = await reports.getOverview(range, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(toOverview(found, options.known().flag("LogErrorEnabled")));
      }),
    )
    .get(
      "/self",
      route({ access: "user", query: UsageQuery }, async ({ query }, { caller, call }) => {
        const range = rangeOf(query);
        if (range.endSeconds - range.startSeconds > DATA_RANGE_SECONDS_MAX) throw rangeTooLong(DATA_RANGE_SECONDS_MAX);
        const asked = { userId: caller.user.id, username: "", ...range };
        const found = await logs.listRollups(asked, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toUsageHour));
      }),
    );
}
