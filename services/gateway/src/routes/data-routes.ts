import { successSchema } from "@turnpike/contract/api/common";
import {
  type AdminUsageHour,
  AdminUsageHourList,
  DATA_RANGE_SECONDS_MAX,
  type UsageHour,
  UsageHourList,
  UsageQuery,
} from "@turnpike/contract/api/data";
import { MARGIN_RANGE_SECONDS_MAX, MarginQuery, Margins } from "@turnpike/contract/api/prices/margin";
import { OVERVIEW_RANGE_SECONDS_MAX, OverviewQuery, Overview } from "@turnpike/contract/api/report";
import type { Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { z } from "zod/mini";
import { CSV, csvFile } from "../http/export/csv.ts";
import { toMarginLines, toMargins } from "../presenters/billing/margins.ts";
import { ok } from "../http/api-response.ts";
import { toOverview } from "../presenters/overview.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const DAY_SECONDS = 86_400;
const READ_TIMEOUT_MS = 15_000;
const ROWS_SHOWN_MAX = 500;
const ROWS_EXPORTED_MAX = 10_000;

const toUsageHour = (hour: Rollup): UsageHour => ({
  user_id: hour.userId,
  username: hour.username,
  model_name: hour.modelName,
  created_at: hour.createdAt,
  token_used: hour.tokenUsed,
  count: hour.count,
  quota: hour.quota,
});

const toAdminUsageHour = (hour: Rollup): AdminUsageHour => ({
  ...toUsageHour(hour),
  known_count: hour.knownCount,
  known_quota: hour.knownQuota,
  cost: hour.cost,
});

/** Without an end it is now; without a start it is the longest range that ends there. */
function toRange(query: { start_timestamp: number; end_timestamp: number }) {
  const endSeconds = query.end_timestamp || Math.floor(Date.now() / 1000);
  return { startSeconds: query.start_timestamp || endSeconds - DATA_RANGE_SECONDS_MAX, endSeconds };
}

const rangeTooLong = (seconds: number): AppError =>
  new AppError("range_too_long", "the range is too long", { params: { days: String(seconds / DAY_SECONDS) } });

const SPECS = {
  readUsage: {
    access: "admin",
    summary: "Read usage by hour and model",
    returns: successSchema(AdminUsageHourList),
    query: UsageQuery,
  },
  readOverview: {
    access: "admin",
    summary: "Read the top users and channels, latency and errors",
    returns: successSchema(Overview),
    query: OverviewQuery,
  },
  readMargins: {
    access: "admin",
    summary: "Read what calls earn and cost",
    returns: successSchema(Margins),
    query: MarginQuery,
  },
  exportMargins: { access: "admin", summary: "Export what calls earn and cost", returns: CSV, query: MarginQuery },
  readOwnUsage: {
    access: "user",
    summary: "Read the own usage by hour and model",
    returns: successSchema(UsageHourList),
    query: UsageQuery,
  },
} as const;

/** Usage by hour and model, for the dashboard. Mounted at /api/data. */
export function dataRoutes({ services: { logs, reports }, route, options }: RoutesDeps): Router {
  const readMargins = async (
    query: z.infer<typeof MarginQuery>,
    limit: number,
    call: CallOptions,
  ): Promise<Margins> => {
    const range = toRange(query);
    if (range.endSeconds - range.startSeconds > MARGIN_RANGE_SECONDS_MAX) throw rangeTooLong(MARGIN_RANGE_SECONDS_MAX);
    const request = { ...range, by: query.by, limit };
    return toMargins(await reports.getMargins(request, { ...call, timeoutMs: READ_TIMEOUT_MS }));
  };
  return Router()
    .get(
      "/",
      route(SPECS.readUsage, async ({ query }, { call }) => {
        const of = { userId: 0, username: query.username, quarterHours: query.quarter_hours };
        const filter = { ...of, ...toRange(query) };
        const found = await logs.listRollups(filter, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toAdminUsageHour));
      }),
    )
    .get(
      "/overview",
      route(SPECS.readOverview, async ({ query }, { call }) => {
        const range = toRange(query);
        if (range.endSeconds - range.startSeconds > OVERVIEW_RANGE_SECONDS_MAX)
          throw rangeTooLong(OVERVIEW_RANGE_SECONDS_MAX);
        const found = await reports.getOverview(range, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(toOverview(found, options.known().flag("LogErrorEnabled")));
      }),
    )
    .get(
      "/margin",
      route(SPECS.readMargins, async ({ query }, { call }) => ok(await readMargins(query, ROWS_SHOWN_MAX, call))),
    )
    .get(
      "/margin/export",
      route(SPECS.exportMargins, async ({ query }, { call, facts }) => {
        const margins = await readMargins(query, ROWS_EXPORTED_MAX, call);
        const language = query.lang === "en" || query.lang === "zh" ? query.lang : facts.language;
        const quotaPerUnit = options.known().number("QuotaPerUnit");
        const name = `margins-by-${query.by}-${new Date().toISOString().slice(0, 10)}.csv`;
        return csvFile(name, toMarginLines(margins, { by: query.by, language, quotaPerUnit }));
      }),
    )
    .get(
      "/self",
      route(SPECS.readOwnUsage, async ({ query }, { caller, call }) => {
        const range = toRange(query);
        if (range.endSeconds - range.startSeconds > DATA_RANGE_SECONDS_MAX) throw rangeTooLong(DATA_RANGE_SECONDS_MAX);
        const filter = { userId: caller.user.id, username: "", quarterHours: query.quarter_hours, ...range };
        const found = await logs.listRollups(filter, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toUsageHour));
      }),
    );
}
