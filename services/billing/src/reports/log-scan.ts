import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { LogPlace, ScanLogsResponse } from "@turnpike/proto/billing/v1/report_service";
import type { mongo } from "mongoose";
import { toLogQuery } from "../logs/log-filter.ts";
import { toLogRow, toLogRowWithCost } from "../logs/log-row.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { stripContents } from "./log-content-filter.ts";

export type ScanLogs = ReturnType<typeof createLogScan>;

const ROWS_MAX = 1_000;
const TIMEOUT_MS = 15_000;

const isStart = (place: LogPlace | undefined): boolean => place === undefined || place.createdAt === 0;

/** Everything after a row in log order, newest first. */
function beyond(place: LogPlace | undefined): mongo.Filter<LogDoc> {
  if (!place || isStart(place)) return {};
  const { createdAt, id } = place;
  // The first bound positions the index scan; the second one excludes rows within the same second.
  return {
    $and: [{ createdAt: { $lte: createdAt } }, { $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] }],
  };
}

/** Reads the log from end to end by the same indexes that serve its pages, at constant cost per step. */
export function createLogScan({ logs }: Pick<Collections, "logs">) {
  return async function scanLogs(
    filter: LogFilter,
    after: LogPlace | undefined,
    limit: number,
  ): Promise<ScanLogsResponse> {
    const rows = Math.min(ROWS_MAX, Math.max(1, limit));
    const found = await logs
      .find({ ...toLogQuery(filter), ...beyond(after) }, { maxTimeMS: TIMEOUT_MS })
      .sort({ createdAt: -1, _id: -1 })
      .limit(rows)
      .toArray();
    const last = found.at(-1);
    return {
      items: found.map(filter.userId > 0 ? toLogRow : toLogRowWithCost).map(stripContents),
      next: last && found.length === rows ? { createdAt: last.createdAt, id: last._id } : undefined,
    };
  };
}
