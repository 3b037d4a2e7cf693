import { DATA_RANGE_SECONDS_MAX, type UsageHour, UsageQuery } from "@turnpike/contract/api/data";
import type { Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../http/answer.ts";
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

/** Usage by hour and model, for the dashboard. Mounted at /api/data. */
export function dataRoutes({ services: { logs }, route }: RoutesDeps): Router {
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
      "/self",
      route({ access: "user", query: UsageQuery }, async ({ query }, { caller, call }) => {
        const range = rangeOf(query);
        if (range.endSeconds - range.startSeconds > DATA_RANGE_SECONDS_MAX) {
          const days = String(DATA_RANGE_SECONDS_MAX / DAY_SECONDS);
          throw new AppError("range_too_long", "the range is too long", { params: { days } });
        }
        const asked = { userId: caller.user.id, username: "", ...range };
        const found = await logs.listRollups(asked, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toUsageHour));
      }),
    );
}
