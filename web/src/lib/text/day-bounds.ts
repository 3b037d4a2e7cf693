const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

function midnight(day: string, daysLater: number): number | undefined {
  const [, year, month, date] = DAY.exec(day) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
}

/** The start of a day ("2026-05-31") in the user's time zone, in unix seconds; undefined for an invalid day. */
export const dayStartSeconds = (day: string | undefined): number | undefined =>
  day === undefined ? undefined : midnight(day, 0);

/** The last second of a day in the user's time zone. */
export function dayEndSeconds(day: string | undefined): number | undefined {
  const next = day === undefined ? undefined : midnight(day, 1);
  return next === undefined ? undefined : next - 1;
}
