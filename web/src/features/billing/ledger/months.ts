/** The UTC month of a time, as "2026-05". */
export const toMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The last UTC months, the current one first. */
export function lastMonths(nowMs: number, count: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, back) =>
    toMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)),
  );
}

/** A month in the user's language: "May 2026". */
export const monthName = (month: string, language: string): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-US" : "zh-CN", {
    year: "numeric",
    month: "long",
    timeZone: "UTC",
  }).format(Date.parse(`${month}-01T00:00:00Z`));
