import type { PageRange } from "../store/query.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { type SecondRange, splitHours } from "./time-range.ts";
import { toReadRanges, type PagePosition, findPage, type Segment } from "./log-counts.ts";
import { createPartialHours } from "./partial-hours.ts";
import type { LogPlan } from "./log-query-plan.ts";
import type { LogRowReader } from "./log-row-reader.ts";

export type LogPage = { readonly items: LogDoc[]; readonly total: number };

const HOUR_SECONDS = 3_600;
/** More rows than this to skip within an hour: use its minutes. */
const SKIP_IN_HOUR_MAX = 5_000;

/** Finds the segments of a range, newest first: partial hours at its ends are counted, whole hours are tallied. */
function createSegmentFinder(rows: LogRowReader, nowSeconds: () => number) {
  const partialHours = createPartialHours(rows);
  return async function findSegments(plan: LogPlan, range: SecondRange): Promise<Segment[]> {
    const { hours, edges } = splitHours(range, nowSeconds());
    const counted = (await Promise.all(edges.map((edge) => partialHours.segments(plan, edge)))).toReversed().flat();
    if (!hours) return counted;
    // Clocks differ: rows slightly in the future belong to a range without an end.
    const isOpen = range.to >= nowSeconds();
    const whole = (plan.hourCounts ?? [])
      .filter(({ hour }) => hour >= hours.from && (isOpen || hour <= hours.to))
      .map(({ hour, rows: count }) => ({ from: hour, to: hour + 3_599, count }));
    const newer = counted.filter(({ from }) => from > hours.to);
    const older = counted.filter(({ to }) => to < hours.from);
    return [...newer, ...whole, ...older];
  };
}

/** Reads pages by counts of rows: totals are exact, and a page costs the same at any depth. */
export function createCountedPages({ rows, nowSeconds }: { rows: LogRowReader; nowSeconds: () => number }) {
  const findSegments = createSegmentFinder(rows, nowSeconds);

  /** Within a busy hour the minute is located first, so that fewer rows are skipped. */
  const refine = async (plan: LogPlan, place: PagePosition): Promise<PagePosition> => {
    const { segment, skip } = place;
    const isWholeHour = segment !== undefined && segment.to - segment.from === HOUR_SECONDS - 1;
    if (!plan.minutes || skip < SKIP_IN_HOUR_MAX || !isWholeHour) return place;
    const minutes = await plan.minutes(segment.from);
    // Rows of a version without minute tallies are skipped one by one.
    const known = minutes.reduce((sum, { count }) => sum + count, 0);
    return known < segment.count ? place : (findPage(minutes, skip) ?? place);
  };
  const readFrom = async (
    plan: LogPlan,
    range: SecondRange,
    place: PagePosition,
    { skip, limit }: PageRange,
  ): Promise<LogDoc[]> => {
    const from = skip === 0 ? { to: place.to, skip: 0 } : await refine(plan, place);
    return rows.read(plan, { from: range.from, to: from.to }, { skip: from.skip, limit });
  };
  /** Reads one stretch after another until the page is full: hours without matching rows are skipped. */
  const readHours = async (plan: LogPlan, stretches: readonly SecondRange[], page: PageRange): Promise<LogDoc[]> => {
    const items: LogDoc[] = [];
    let { skip } = page;
    for (const readRange of stretches) {
      if (items.length >= page.limit) break;
      items.push(...(await rows.read(plan, readRange, { skip, limit: page.limit - items.length })));
      skip = 0;
    }
    return items;
  };
  return async function readCounted(plan: LogPlan, range: SecondRange, page: PageRange): Promise<LogPage> {
    const segments = await findSegments(plan, range);
    const total = segments.reduce((sum, { count }) => sum + count, 0);
    const place = findPage(segments, page.skip);
    if (!place) return { items: [], total };
    // The first page also shows rows added since the count.
    const start = page.skip === 0 ? range.to : Math.min(range.to, place.to);
    const items = plan.isJoint
      ? await readHours(plan, toReadRanges(segments, { ...place, to: start }), { skip: place.skip, limit: page.limit })
      : await readFrom(plan, range, { ...place, to: start }, page);
    return { items, total: Math.max(total, page.skip + items.length) };
  };
}
