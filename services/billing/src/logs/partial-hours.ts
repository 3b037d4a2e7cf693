import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import { getHour } from "../store/calendar.ts";
import { type SecondRange, splitMinutes } from "./time-range.ts";
import type { MinuteCount, Segment } from "./log-counts.ts";
import type { LogPlan } from "./log-query-plan.ts";
import type { LogRowReader } from "./log-row-reader.ts";

const minutesWithin = async (plan: LogPlan, { from, to }: SecondRange): Promise<MinuteCount[]> => {
  const hours = [...new Set([getHour(to), getHour(from)])];
  const hourCounts = await Promise.all(hours.map(async (hour) => (await plan.minutes?.(hour)) ?? []));
  return hourCounts.flat().filter((cell) => cell.from >= from && cell.to <= to);
};

/** Reads partial hours: by minute where tallied, so that only the seconds at the ends are read row by row. */
export function createPartialHours(rows: LogRowReader) {
  const readParts = async (plan: LogPlan, edge: SecondRange) => {
    const { whole, rests } = plan.minutes ? splitMinutes(edge) : { whole: undefined, rests: [edge] };
    return { minutes: whole ? await minutesWithin(plan, whole) : [], rests };
  };
  return {
    /** Segments with their number of rows, newest first. */
    async segments(plan: LogPlan, edge: SecondRange): Promise<Segment[]> {
      const { minutes, rests } = await readParts(plan, edge);
      const counted = await Promise.all(
        rests.map(async (rest) => ({ ...rest, count: await rows.count(plan, rest, { timeoutMs: SEARCH_TIMEOUT_MS }) })),
      );
      return [...minutes, ...counted].toSorted((a, b) => b.from - a.from);
    },
    async sum(plan: LogPlan, edge: SecondRange): Promise<number> {
      const { minutes, rests } = await readParts(plan, edge);
      const sums = await Promise.all(rests.map((rest) => rows.sum(plan, rest)));
      return [...minutes.map(({ quota }) => quota), ...sums].reduce((sum, each) => sum + each, 0);
    },
  };
}
