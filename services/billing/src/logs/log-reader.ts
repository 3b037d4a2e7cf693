import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { type PageRange, SKIP_MAX } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/documents.ts";
import { isQueryTimeout } from "../store/query-timeout.ts";
import { type SecondRange, splitHours } from "./time-range.ts";
import { toReadRanges, type PagePosition, findPage, type Segment, countRows } from "./log-counts.ts";
import { createPartialHours } from "./partial-hours.ts";
import { createLogPlanner, type LogPlan } from "./log-query-plan.ts";
import { createLogRowReader } from "./log-row-reader.ts";
import type { LogState } from "./log-state.ts";

export type LogReader = ReturnType<typeof createLogReader>;

/** Where no tally exists, rows are counted up to this number and time limit. */
const COUNT_MAX = 20_000;
const COUNT_TIMEOUT_MS = 150;
const HOUR_SECONDS = 3_600;
/** More rows than this to skip within an hour: use its minutes. */
const SKIP_IN_HOUR_MAX = 5_000;

type Page = { readonly items: LogDoc[]; readonly total: number };
const NOTHING: Page = { items: [], total: 0 };

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
  const plan = createLogPlanner(deps.collections);
  const rows = createLogRowReader(deps.collections);
  const partsOfHours = createPartialHours(rows);

  /** The range in segments, newest first: partial hours at its ends are counted, whole hours are tallied. */
  const findSegments = async (made: LogPlan, range: SecondRange): Promise<Segment[]> => {
    const { hours, edges } = splitHours(range, deps.nowSeconds());
    const counted = (await Promise.all(edges.map((edge) => partsOfHours.segments(made, edge)))).toReversed().flat();
    if (!hours) return counted;
    // Clocks differ: rows slightly in the future belong to a range without an end.
    const isOpen = range.to >= deps.nowSeconds();
    const whole = (made.hourCounts ?? [])
      .filter(({ hour }) => hour >= hours.from && (isOpen || hour <= hours.to))
      .map(({ hour, rows: count }) => ({ from: hour, to: hour + 3_599, count }));
    const newer = counted.filter(({ from }) => from > hours.to);
    const older = counted.filter(({ to }) => to < hours.from);
    return [...newer, ...whole, ...older];
  };
  /** Within a busy hour the minute is located first, so that fewer rows are skipped. */
  const refined = async (made: LogPlan, place: PagePosition): Promise<PagePosition> => {
    const { segment, skip } = place;
    const isWholeHour = segment !== undefined && segment.to - segment.from === HOUR_SECONDS - 1;
    if (!made.minutes || skip < SKIP_IN_HOUR_MAX || !isWholeHour) return place;
    const minutes = await made.minutes(segment.from);
    // Rows of a version without minute tallies are skipped one by one.
    const known = minutes.reduce((sum, { count }) => sum + count, 0);
    return known < segment.count ? place : (findPage(minutes, skip) ?? place);
  };
  const readFrom = async (
    made: LogPlan,
    range: SecondRange,
    place: PagePosition,
    { skip, limit }: PageRange,
  ): Promise<LogDoc[]> => {
    const from = skip === 0 ? { to: place.to, skip: 0 } : await refined(made, place);
    return rows.read(made, { from: range.from, to: from.to }, { skip: from.skip, limit });
  };
  /** Reads one stretch after another until the page is full: hours without matching rows are skipped. */
  const readHours = async (made: LogPlan, stretches: readonly SecondRange[], page: PageRange): Promise<LogDoc[]> => {
    const items: LogDoc[] = [];
    let { skip } = page;
    for (const stretch of stretches) {
      if (items.length >= page.limit) break;
      items.push(...(await rows.read(made, stretch, { skip, limit: page.limit - items.length })));
      skip = 0;
    }
    return items;
  };
  const readCounted = async (made: LogPlan, range: SecondRange, page: PageRange): Promise<Page> => {
    const segments = await findSegments(made, range);
    const total = segments.reduce((sum, { count }) => sum + count, 0);
    const place = findPage(segments, page.skip);
    if (!place) return { items: [], total };
    // The first page also shows rows added since the count.
    const start = page.skip === 0 ? range.to : Math.min(range.to, place.to);
    const items = made.isJoint
      ? await readHours(made, toReadRanges(segments, { ...place, to: start }), { skip: place.skip, limit: page.limit })
      : await readFrom(made, range, { ...place, to: start }, page);
    return { items, total: Math.max(total, page.skip + items.length) };
  };
  const countUpTo = async (made: LogPlan, range: SecondRange): Promise<number | undefined> => {
    try {
      return await rows.count(made, range, { limit: COUNT_MAX, timeoutMs: COUNT_TIMEOUT_MS });
    } catch (error) {
      if (isQueryTimeout(error)) return undefined;
      throw error;
    }
  };
  const readUncounted = async (made: LogPlan, range: SecondRange, page: PageRange): Promise<Page> => {
    if (page.skip > SKIP_MAX) return { items: [], total: (await countUpTo(made, range)) ?? COUNT_MAX };
    const [items, counted] = await Promise.all([rows.read(made, range, page), countUpTo(made, range)]);
    const isFull = items.length === page.limit;
    const seen = page.skip + items.length;
    return { items, total: Math.max(counted ?? seen + (isFull ? 1 : 0), seen) };
  };
  return async function listLogs(filter: LogFilter, page: PageRange): Promise<Page> {
    const gaps = await deps.state.read();
    const range = toTimeRange(filter, gaps.deletedBefore);
    if (range.to < range.from) return NOTHING;
    const made = await plan(filter, range, gaps);
    if (made.isEmpty) return NOTHING;
    if (made.hourCounts && countRows(made.hourCounts) === 0) return NOTHING;
    return made.hourCounts ? readCounted(made, range, page) : readUncounted(made, range, page);
  };
}
