import { text } from "../../lib/i18n-source.ts";

/** The spans of time that the log offers; "custom" is two moments in the address. */
export const LOG_RANGES = [
  { value: "today", label: text("今天"), days: 0 },
  { value: "3d", label: text("最近 3 天"), days: 2 },
  { value: "7d", label: text("最近 7 天"), days: 6 },
  { value: "30d", label: text("最近 30 天"), days: 29 },
] as const;
export type LogRange = (typeof LOG_RANGES)[number]["value"] | "custom";
export const DEFAULT_RANGE: LogRange = "3d";

const DAY_MS = 86_400_000;

/** When a span begins: the start of its first day, so that asking again a minute later asks the same. */
export function rangeStartSeconds(range: LogRange, nowMs: number): number | undefined {
  const days = LOG_RANGES.find(({ value }) => value === range)?.days;
  return days === undefined ? undefined : Math.floor(new Date(nowMs - days * DAY_MS).setHours(0, 0, 0, 0) / 1000);
}
