import { pageQuery } from "@turnpike/contract/api/common";
import { LogDeleteQuery, LogFilter } from "@turnpike/contract/api/log";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { toLogEntry, toLogFilter, toOwnLogEntry, toOwnLogFilter } from "../presenters/log-entry.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Old rows go in batches; there may be many. */
const DELETE_TIMEOUT_MS = 60_000;
const READ_TIMEOUT_MS = 15_000;

const LogQuery = LogFilter.and(pageQuery(1));

/** The usage log. Mounted at /api/log. */
export function logRoutes({ services: { logs }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: LogQuery }, async ({ query }, { call }) => {
        const { page, pageSize } = query;
        const asked = { filter: toLogFilter(query), page, pageSize };
        const found = await logs.listLogs(asked, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return okPage(query, { items: found.items.map(toLogEntry), total: found.total });
      }),
    )
    .get(
      "/self",
      route({ access: "user", query: LogQuery }, async ({ query }, { caller, call }) => {
        const { page, pageSize } = query;
        const asked = { filter: toOwnLogFilter(query, caller.user.id), page, pageSize };
        const found = await logs.listLogs(asked, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return okPage(query, { items: found.items.map(toOwnLogEntry), total: found.total });
      }),
    )
    .get(
      "/stat",
      route({ access: "admin", query: LogFilter }, async ({ query }, { call }) =>
        ok(await logs.getLogStat({ filter: toLogFilter(query) }, { ...call, timeoutMs: READ_TIMEOUT_MS })),
      ),
    )
    .get(
      "/self/stat",
      route({ access: "user", query: LogFilter }, async ({ query }, { caller, call }) => {
        const filter = toOwnLogFilter(query, caller.user.id);
        return ok(await logs.getLogStat({ filter }, { ...call, timeoutMs: READ_TIMEOUT_MS }));
      }),
    )
    .delete(
      "/",
      route({ access: "admin", query: LogDeleteQuery }, async ({ query }, { call }) => {
        const beforeSeconds = query.target_timestamp;
        if (beforeSeconds <= 0) throw new AppError("log_time_required", "no target_timestamp");
        const { deleted } = await logs.deleteLogs({ beforeSeconds }, { ...call, timeoutMs: DELETE_TIMEOUT_MS });
        return ok(deleted);
      }),
    );
}
