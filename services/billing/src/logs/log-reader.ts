import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { mongo } from "mongoose";
import { type PageRange, SKIP_MAX } from "../edge/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/documents.ts";
import { toLogQuery } from "./log-filter.ts";

export type LogReader = ReturnType<typeof createLogReader>;

const PAGE_TIMEOUT_MS = 8_000;
/** Counting is a courtesy: after this long the page says how many there are at least. */
const COUNT_TIMEOUT_MS = 1_500;
const MAX_TIME_EXPIRED = 50;

/** Pages over the log, newest first. Totals are exact up to a hundred thousand rows, and bounded beyond. */
export function createLogReader({ logs }: Pick<Collections, "logs">) {
  const count = async (query: mongo.Filter<LogDoc>): Promise<number | undefined> => {
    try {
      if (Object.keys(query).length === 0) {
        const known = await logs.estimatedDocumentCount({ maxTimeMS: COUNT_TIMEOUT_MS });
        if (known > SKIP_MAX) return known;
      }
      return await logs.countDocuments(query, { limit: SKIP_MAX, maxTimeMS: COUNT_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED) return undefined;
      throw error;
    }
  };
  return async function listLogs(filter: LogFilter, range: PageRange): Promise<{ items: LogDoc[]; total: number }> {
    const query = toLogQuery(filter);
    const [items, total] = await Promise.all([
      logs
        .find(query, { maxTimeMS: PAGE_TIMEOUT_MS })
        .sort({ createdAt: -1, _id: -1 })
        .skip(range.skip)
        .limit(range.limit)
        .toArray(),
      count(query),
    ]);
    const isFull = items.length === range.limit;
    return { items, total: total ?? range.skip + items.length + (isFull ? 1 : 0) };
  };
}
