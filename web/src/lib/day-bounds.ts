const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

function midnight(day: string, daysLater: number): number | undefined {
  const [, year, month, date] = DAY.exec(day) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
}

/** When a day ("2026-05-31") begins in the reader's zone, in unix seconds; undefined when it is no day. */
export const dayStartSeconds = (day: string | undefined): number | undefined =>
  day === undefined ? undefined : midnight(day, 0);

/** The last second of a day in the reader's zone. */
export function dayEndSeconds(day: string | undefined): number | undefined {
  const next = day === undefined ? undefined : midnight(day, 1);
  return next === undefined ? undefined : next - 1;
}
