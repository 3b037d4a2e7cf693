import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { isQueryTimeout } from "@turnpike/shared/mongo/search";
import { withQueryTimeout } from "../store/query-timeout.ts";
import { type PageRange, SKIP_MAX } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { SecondRange } from "./time-range.ts";
import { createCountedPages, type LogPage } from "./counted-pages.ts";
import { countRows } from "./log-counts.ts";
import { createLogPlanner, type LogPlan } from "./log-query-plan.ts";
import { createLogRowReader } from "./log-row-reader.ts";
import type { LogState } from "./log-state.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/** Where no tally exists, rows are counted up to this number and time limit. */
const COUNT_MAX = 20_000;
const COUNT_TIMEOUT_MS = 150;

const NOTHING: LogPage = { items: [], total: 0 };

/** A filter's full time range; excludes rows deleted on purpose, whether or not they are removed yet. */
export function toTimeRange(filter: LogFilter, deletedBefore: number): SecondRange {
  const to = filter.endSeconds > 0 ? filter.endSeconds : Number.MAX_SAFE_INTEGER;
  return { from: Math.max(filter.startSeconds, deletedBefore, 0), to };
}

/**
 * Pages over the log, newest first. Totals are exact and pages equally fast at any depth wherever a tally exists; other
 * combinations are counted up to twenty thousand rows.
 */
export function createLogReader(deps: {
  collections: Pick<Collections, "logs" | "logTallies" | "rollups">;
  state: LogState;
  nowSeconds: () => number;
}) {
  const makePlan = createLogPlanner(deps.collections);
  const rows = createLogRowReader(deps.collections);
  const readCounted = createCountedPages({ rows, nowSeconds: deps.nowSeconds });

  const countUpTo = async (plan: LogPlan, range: SecondRange): Promise<number | undefined> => {
    try {
      return await rows.count(plan, range, { limit: COUNT_MAX, timeoutMs: COUNT_TIMEOUT_MS });
    } catch (error) {
      if (isQueryTimeout(error)) return undefined;
      throw error;
    }
  };
  const readUncounted = async (plan: LogPlan, range: SecondRange, page: PageRange): Promise<LogPage> => {
    if (page.skip > SKIP_MAX) return { items: [], total: (await countUpTo(plan, range)) ?? COUNT_MAX };
    const [items, counted] = await Promise.all([rows.read(plan, range, page), countUpTo(plan, range)]);
    const isFull = items.length === page.limit;
    const seen = page.skip + items.length;
    return { items, total: Math.max(counted ?? seen + (isFull ? 1 : 0), seen) };
  };
  return async function listLogs(filter: LogFilter, page: PageRange): Promise<LogPage> {
    const gaps = await deps.state.read();
    const range = toTimeRange(filter, gaps.deletedBefore);
    if (range.to < range.from) return NOTHING;
    const plan = await withQueryTimeout(() => makePlan(filter, range, gaps));
    if (plan.isEmpty) return NOTHING;
    if (plan.hourCounts && countRows(plan.hourCounts) === 0) return NOTHING;
    return plan.hourCounts ? readCounted(plan, range, page) : readUncounted(plan, range, page);
  };
}
