const pad = (number: number): string => String(number).padStart(2, "0");

/** The day some days before today, as "2026-05-31", in the user's time zone. */
export function dayBefore(days: number, nowMs: number): string {
  const at = new Date(nowMs);
  at.setDate(at.getDate() - days);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}
