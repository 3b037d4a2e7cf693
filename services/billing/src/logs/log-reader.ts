import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { isQueryTimeout } from "@turnpike/shared/mongo/search";
import { withQueryTimeout } from "../store/query-timeout.ts";
import { type PageRange, SKIP_MAX } from "../store/query.ts";
import { LOG_OTHERS_INDEX } from "../store/indexes.ts";
import type { Collections } from "../store/collections.ts";
import type { SecondRange } from "./time-range.ts";
import { createCountedPages, type LogPage } from "./counted-pages.ts";
import { countRows } from "./log-counts.ts";
import { CALL_TYPES, KEPT_TYPES, toLogQuery } from "./log-filter.ts";
import { createLogPlanner, type LogPlan } from "./log-query-plan.ts";
import { createLogRowReader } from "./log-row-reader.ts";
import type { LogGaps, LogState } from "./log-state.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/** Where no tally exists, rows are counted up to this number and time limit. */
const COUNT_MAX = 20_000;
const COUNT_TIMEOUT_MS = 150;

const NOTHING: LogPage = { items: [], total: 0 };

/** A filter's full time range; excludes calls deleted on purpose, whether or not they are removed yet. */
export function toTimeRange(filter: LogFilter, deletedBefore: number): SecondRange {
  const to = filter.endSeconds > 0 ? filter.endSeconds : Number.MAX_SAFE_INTEGER;
  return { from: Math.max(filter.startSeconds, deletedBefore, 0), to };
}

/** The plan and range of the rows that clearing the log kept; undefined where the filter selects none. */
function planKept(filter: LogFilter, deletedBefore: number): { plan: LogPlan; range: SecondRange } | undefined {
  const { to } = toTimeRange(filter, 0);
  const range = { from: Math.max(filter.startSeconds, 0), to: Math.min(to, deletedBefore - 1) };
  if (CALL_TYPES.includes(filter.type) || range.to < range.from) return undefined;
  const { createdAt: _, ...query } = toLogQuery(filter);
  const type = filter.type > 0 ? filter.type : { $in: [...KEPT_TYPES] };
  const plan = { query: { ...query, type }, models: undefined, index: LOG_OTHERS_INDEX, hourCounts: undefined };
  return { plan: { ...plan, isEmpty: false }, range };
}

/**
 * Pages over the log, newest first. Totals are exact and pages equally fast at any depth wherever a tally exists; other
 * combinations are counted up to twenty thousand rows, as are those that clearing the log kept.
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
  const readPlanned = async (filter: LogFilter, gaps: LogGaps, page: PageRange): Promise<LogPage> => {
    const range = toTimeRange(filter, gaps.deletedBefore);
    if (range.to < range.from) return NOTHING;
    const plan = await withQueryTimeout(() => makePlan(filter, range, gaps));
    if (plan.isEmpty) return NOTHING;
    if (plan.hourCounts && countRows(plan.hourCounts) === 0) return NOTHING;
    return plan.hourCounts ? readCounted(plan, range, page) : readUncounted(plan, range, page);
  };
  return async function listLogs(filter: LogFilter, page: PageRange): Promise<LogPage> {
    const gaps = await deps.state.read();
    const newer = await readPlanned(filter, gaps, page);
    const kept = planKept(filter, gaps.deletedBefore);
    if (!kept) return newer;
    // Behind the last of the newer rows, their page reports no exact total.
    const isBehind = page.skip > 0 && newer.items.length === 0;
    const { total } = isBehind ? await readPlanned(filter, gaps, { skip: 0, limit: 1 }) : newer;
    const limit = page.limit - newer.items.length;
    if (limit === 0) return { ...newer, total: total + ((await countUpTo(kept.plan, kept.range)) ?? COUNT_MAX) };
    const older = await readUncounted(kept.plan, kept.range, { skip: Math.max(0, page.skip - total), limit });
    return { items: [...newer.items, ...older.items], total: total + older.total };
  };
}
