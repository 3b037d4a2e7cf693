import { getHour } from "../store/calendar.ts";
import { type SecondRange, splitMinutes } from "./time-range.ts";
import type { MinuteCount, Segment } from "./log-counts.ts";
import type { LogPlan } from "./log-query-plan.ts";
import type { LogRowReader } from "./log-row-reader.ts";

const COUNT_TIMEOUT_MS = 8_000;

const minutesWithin = async (made: LogPlan, { from, to }: SecondRange): Promise<MinuteCount[]> => {
  const hours = [...new Set([getHour(to), getHour(from)])];
  const hourCounts = await Promise.all(hours.map(async (hour) => (await made.minutes?.(hour)) ?? []));
  return hourCounts.flat().filter((cell) => cell.from >= from && cell.to <= to);
};

/** Reads partial hours: by minute where tallied, so that only the seconds at the ends are read row by row. */
export function createPartialHours(rows: LogRowReader) {
  const partsOf = async (made: LogPlan, edge: SecondRange) => {
    const { whole, rests } = made.minutes ? splitMinutes(edge) : { whole: undefined, rests: [edge] };
    return { minutes: whole ? await minutesWithin(made, whole) : [], rests };
  };
  return {
    /** Segments with their number of rows, newest first. */
    async segments(made: LogPlan, edge: SecondRange): Promise<Segment[]> {
      const { minutes, rests } = await partsOf(made, edge);
      const counted = await Promise.all(
        rests.map(async (rest) => ({ ...rest, count: await rows.count(made, rest, { timeoutMs: COUNT_TIMEOUT_MS }) })),
      );
      return [...minutes, ...counted].toSorted((a, b) => b.from - a.from);
    },
    async sum(made: LogPlan, edge: SecondRange): Promise<number> {
      const { minutes, rests } = await partsOf(made, edge);
      const sums = await Promise.all(rests.map((rest) => rows.sum(made, rest)));
      return [...minutes.map(({ quota }) => quota), ...sums].reduce((sum, each) => sum + each, 0);
    },
  };
}
