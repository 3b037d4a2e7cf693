import { pageQuery, Count, successSchema } from "@turnpike/contract/api/common";
import { AdminLogPage, LogDeleteQuery, LogFilter, LogPage, LogStat } from "@turnpike/contract/api/log";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { toLogEntry, toLogFilter, toLogStat, toOwnLogEntry, toOwnLogFilter } from "../presenters/log-entry.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

/** Old rows are deleted in batches; there may be many. */
const DELETE_TIMEOUT_MS = 60_000;
const READ_TIMEOUT_MS = 15_000;

const LogQuery = z.intersection(LogFilter, pageQuery(1));

const SPECS = {
  listLog: {
    access: "admin",
    summary: "List rows of the usage log",
    returns: successSchema(AdminLogPage),
    query: LogQuery,
  },
  listOwnLog: {
    access: "user",
    summary: "List the own rows of the usage log",
    returns: successSchema(LogPage),
    query: LogQuery,
  },
  sumLog: {
    access: "admin",
    summary: "Sum rows of the usage log",
    returns: successSchema(LogStat),
    query: LogFilter,
  },
  sumOwnLog: {
    access: "user",
    summary: "Sum the own rows of the usage log",
    returns: successSchema(LogStat),
    query: LogFilter,
  },
  deleteLog: {
    access: "admin",
    summary: "Delete old rows of served and failed calls from the usage log",
    returns: Count,
    query: LogDeleteQuery,
  },
} as const;

/** The usage log. Mounted at /api/log. */
export function logRoutes({ services: { logs }, route, options }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route(SPECS.listLog, async ({ query }, { call }) => {
        const { page, pageSize } = query;
        const listing = { filter: toLogFilter(query), page, pageSize };
        const found = await logs.listLogs(listing, { ...call, timeoutMs: READ_TIMEOUT_MS });
        const traceTemplate = options.current().text("TraceUrlTemplate");
        return okPage(query, {
          items: found.items.map((row) => toLogEntry(row, traceTemplate)),
          total: found.total,
        });
      }),
    )
    .get(
      "/self",
      route(SPECS.listOwnLog, async ({ query }, { caller, call }) => {
        const { page, pageSize } = query;
        const listing = { filter: toOwnLogFilter(query, caller.user.id), page, pageSize };
        const found = await logs.listLogs(listing, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return okPage(query, { items: found.items.map(toOwnLogEntry), total: found.total });
      }),
    )
    .get(
      "/stat",
      route(SPECS.sumLog, async ({ query }, { call }) =>
        ok(toLogStat(await logs.getLogStat({ filter: toLogFilter(query) }, { ...call, timeoutMs: READ_TIMEOUT_MS }))),
      ),
    )
    .get(
      "/self/stat",
      route(SPECS.sumOwnLog, async ({ query }, { caller, call }) => {
        const filter = toOwnLogFilter(query, caller.user.id);
        return ok(toLogStat(await logs.getLogStat({ filter }, { ...call, timeoutMs: READ_TIMEOUT_MS })));
      }),
    )
    .delete(
      "/",
      route(SPECS.deleteLog, async ({ query }, { call }) => {
        const beforeSeconds = query.target_timestamp;
        if (beforeSeconds <= 0) throw new AppError("log_time_required", "no target_timestamp");
        const { deleted } = await logs.deleteLogs({ beforeSeconds }, { ...call, timeoutMs: DELETE_TIMEOUT_MS });
        return ok(deleted);
      }),
    );
}
