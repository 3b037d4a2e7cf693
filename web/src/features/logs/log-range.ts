import { text } from "../../lib/text/i18n-source.ts";

/** The log's time ranges; "custom" is two times in the address. */
export const LOG_RANGES = [
  { value: "today", label: text("今天"), days: 0 },
  { value: "3d", label: text("最近 3 天"), days: 2 },
  { value: "7d", label: text("最近 7 天"), days: 6 },
  { value: "30d", label: text("最近 30 天"), days: 29 },
] as const;
export type LogRange = (typeof LOG_RANGES)[number]["value"] | "all" | "custom";
const DEFAULT_RANGE: LogRange = "3d";

type RangeSearch = { readonly range?: LogRange | undefined; readonly request?: string | undefined };

/** The range in force: that of the address; by default the last days or, for a request id, all times. */
export const getLogRange = ({ range, request }: RangeSearch): LogRange =>
  range ?? (request === undefined || request === "" ? DEFAULT_RANGE : "all");

const DAY_MS = 86_400_000;

/** The start of a range is the start of its first day, so that a request a minute later is the same. */
export function rangeStartSeconds(range: LogRange, nowMs: number): number | undefined {
  const days = LOG_RANGES.find(({ value }) => value === range)?.days;
  return days === undefined ? undefined : Math.floor(new Date(nowMs - days * DAY_MS).setHours(0, 0, 0, 0) / 1000);
}
