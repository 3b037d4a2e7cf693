import { successSchema } from "@turnpike/contract/api/common";
import { CSV } from "../http/export/csv.ts";
import { AdminLogList, LogExportQuery, LogSearchQuery, LogTokenQuery, LogList } from "@turnpike/contract/api/log";
import type { LogFilter as StoredFilter } from "@turnpike/proto/billing/v1/log_service";
import { type RequestHandler, Router } from "express";
import { type ApiResponse, ok } from "../http/api-response.ts";
import { streamCsv } from "../http/export/csv-stream.ts";
import { createExportLimiter } from "../http/export/export-limiter.ts";
import type { RouteContext } from "../http/route-spec.ts";
import { toLogEntry, toLogFilter, toOwnLogEntry, toOwnLogFilter } from "../presenters/log-entry.ts";
import { logFileRows } from "../presenters/log-export.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const READ_TIMEOUT_MS = 15_000;

/** Pages of other sites read the log of a token whose key they know; browsers send no cookie of this site then. */
const openToPages: RequestHandler = (request, response, next) => {
  response.set({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, veloera-user, new-api-user",
    "access-control-max-age": "86400",
  });
  if (request.method === "OPTIONS") response.status(204).end();
  else next();
};

const SPECS = {
  exportLog: { access: "admin", summary: "Export rows of the usage log", returns: CSV, query: LogExportQuery },
  exportOwnLog: {
    access: "user",
    summary: "Export the own rows of the usage log",
    returns: CSV,
    query: LogExportQuery,
  },
  searchLog: {
    access: "admin",
    summary: "Search the usage log",
    returns: successSchema(AdminLogList),
    query: LogSearchQuery,
  },
  searchOwnLog: {
    access: "user",
    summary: "Search the own rows of the usage log",
    returns: successSchema(LogList),
    query: LogSearchQuery,
  },
  listTokenLog: {
    access: "user",
    summary: "List the rows of one of the own tokens",
    returns: successSchema(LogList),
    query: LogTokenQuery,
  },
} as const;

/** Reads of the usage log other than its pages: files, a search, one token's rows. Mounted at /api/log. */
export function logReportRoutes({ services, route, options }: RoutesDeps): Router {
  const { reports } = services;
  const slots = createExportLimiter();
  const file = (filter: StoredFilter, lang: string, context: RouteContext<"user" | "admin">): ApiResponse<string> => {
    const { call, caller, facts } = context;
    const forAdmin = filter.userId === 0;
    const language = lang === "en" || lang === "zh" ? lang : facts.language;
    const quotaPerUnit = options.known().number("QuotaPerUnit");
    const rows = logFileRows(services, { filter, forAdmin, language, quotaPerUnit }, call);
    const releaseSlot = slots.take(caller.user.id);
    const name = `logs-${new Date().toISOString().slice(0, 10)}.csv`;
    return { body: "", send: (response) => streamCsv(response, name, rows).finally(releaseSlot) };
  };
  return Router()
    .get(
      "/export",
      route(SPECS.exportLog, ({ query }, context) => file(toLogFilter(query), query.lang, context)),
    )
    .get(
      "/self/export",
      route(SPECS.exportOwnLog, ({ query }, context) =>
        file(toOwnLogFilter(query, context.caller.user.id), query.lang, context),
      ),
    )
    .get(
      "/search",
      route(SPECS.searchLog, async ({ query }, { call }) => {
        const found = await reports.searchLogs({ ...query, userId: 0 }, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map((row) => toLogEntry(row, options.current().text("TraceUrlTemplate"))));
      }),
    )
    .get(
      "/self/search",
      route(SPECS.searchOwnLog, async ({ query }, { caller, call }) => {
        const filter = { ...query, userId: caller.user.id };
        const found = await reports.searchLogs(filter, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(found.items.map(toOwnLogEntry));
      }),
    )
    .all("/token", openToPages)
    .get(
      "/token",
      route(SPECS.listTokenLog, async ({ query }, { caller, call }) => {
        const filter = { key: query.key, userId: caller.user.id };
        const { items } = await reports.listTokenLogs(filter, { ...call, timeoutMs: READ_TIMEOUT_MS });
        return ok(items.map(toOwnLogEntry));
      }),
    );
}
