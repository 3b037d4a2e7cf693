import { LOG_TYPE } from "@turnpike/contract/codes";
import type { mongo } from "mongoose";
import type { RollupDoc, TallyDoc } from "../store/sum-documents.ts";
import type { SecondRange } from "./time-range.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** The number of rows in one hour and the cost of the consumption among them. */
export type HourCount = { readonly hour: number; rows: number; quota: number };

/** Sums tally documents by hour; type 0 is every type. Newest hour first, empty hours omitted. */
export function sumTalliesByHour(docs: readonly TallyDoc[], type: number): HourCount[] {
  const hourCounts = new Map<number, HourCount>();
  const getCell = (hour: number): HourCount => {
    const known = hourCounts.get(hour);
    if (known) return known;
    const made = { hour, rows: 0, quota: 0 };
    hourCounts.set(hour, made);
    return made;
  };
  for (const { day, rows, quota = {} } of docs) {
    for (const [rowType, hours] of Object.entries(rows)) {
      if (type !== 0 && Number(rowType) !== type) continue;
      for (const [hour, count] of Object.entries(hours))
        getCell(day * DAY_SECONDS + Number(hour) * HOUR_SECONDS).rows += count;
    }
    for (const [hour, cost] of Object.entries(quota)) {
      const cell = hourCounts.get(day * DAY_SECONDS + Number(hour) * HOUR_SECONDS);
      if (cell) cell.quota += cost;
    }
  }
  return newestFirst(hourCounts.values());
}

/** The number of rows in one minute and the cost of the consumption among them. */
export type MinuteCount = Segment & { readonly quota: number };

/** The minutes of one hour that have such rows, newest first. */
export function sumTalliesByMinute(
  docs: readonly Pick<TallyDoc, "rows" | "quota">[],
  hour: number,
  type: number,
): MinuteCount[] {
  const hourCounts = new Map<number, { count: number; quota: number }>();
  for (const { rows, quota = {} } of docs)
    for (const [rowType, minutes] of Object.entries(rows)) {
      if (type !== 0 && Number(rowType) !== type) continue;
      const isConsumption = Number(rowType) === LOG_TYPE.consume;
      for (const [minute, count] of Object.entries(minutes)) {
        const cell = hourCounts.get(Number(minute)) ?? { count: 0, quota: 0 };
        cell.count += count;
        if (isConsumption) cell.quota += quota[minute] ?? 0;
        hourCounts.set(Number(minute), cell);
      }
    }
  return [...hourCounts]
    .toSorted(([a], [b]) => b - a)
    .map(([minute, cell]) => {
      const from = hour + minute * MINUTE_SECONDS;
      return { from, to: from + MINUTE_SECONDS - 1, ...cell };
    });
}

/** The same from hourly sums, which contain consumption only. */
export function toHourCounts(docs: readonly Pick<RollupDoc, "hour" | "count" | "quota">[]): HourCount[] {
  return mergeHourCounts([docs.map(({ hour, count, quota }) => ({ hour, rows: count, quota }))]);
}

/** Merges cells of the same hours. */
export function mergeHourCounts(lists: readonly (readonly HourCount[])[]): HourCount[] {
  const hourCounts = new Map<number, HourCount>();
  for (const { hour, rows, quota } of lists.flat()) {
    const cell = hourCounts.get(hour) ?? { hour, rows: 0, quota: 0 };
    cell.rows += rows;
    cell.quota += quota;
    hourCounts.set(hour, cell);
  }
  return newestFirst(hourCounts.values());
}

const newestFirst = (hourCounts: Iterable<HourCount>): HourCount[] =>
  [...hourCounts].toSorted((a, b) => b.hour - a.hour);

export const countRows = (hourCounts: readonly HourCount[]): number =>
  hourCounts.reduce((sum, { rows }) => sum + rows, 0);

/** The days that a range overlaps. */
export const toDayCondition = ({ from, to }: SecondRange): mongo.Condition<number> => ({
  $gte: Math.floor(from / DAY_SECONDS),
  $lte: Math.floor(to / DAY_SECONDS),
});

/** Part of a time range, with its number of rows. */
export type Segment = SecondRange & { readonly count: number };

/** Where a page begins: up to a time, after this many rows. */
export type PagePosition = { readonly to: number; readonly skip: number; readonly segment?: Segment };

/** Finds the page that begins after `skip` rows in segments ordered from newest to oldest; undefined beyond the end. */
export function findPage(segments: readonly Segment[], skip: number): PagePosition | undefined {
  let before = 0;
  for (const segment of segments) {
    const { to, count } = segment;
    if (skip < before + count) return { to, skip: skip - before, segment };
    before += count;
  }
  return undefined;
}

/** A stretch is read in one query up to this many rows. */
const RANGE_MAX = 1_000;

/** The time stretches with rows, newest first, from a position on; adjacent hours form one stretch. */
export function toReadRanges(segments: readonly Segment[], { to, segment }: PagePosition): SecondRange[] {
  const stretches: { from: number; to: number; count: number }[] = [];
  const first = segment ? segments.indexOf(segment) : 0;
  for (const [index, each] of segments.slice(Math.max(0, first)).entries()) {
    if (each.count === 0) continue;
    const last = stretches.at(-1);
    if (last && last.from === each.to + 1 && last.count < RANGE_MAX) {
      last.from = each.from;
      last.count += each.count;
    } else stretches.push({ from: each.from, to: index === 0 ? to : each.to, count: each.count });
  }
  return stretches;
}
