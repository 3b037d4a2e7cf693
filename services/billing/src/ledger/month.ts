import { AppError } from "@turnpike/shared/errors/app-error";

/** A UTC month: from its first second to its end, exclusive. */
export type Month = { readonly startSeconds: number; readonly endSeconds: number };

/** Parses YYYY-MM; throws month_invalid. */
export function readMonth(text: string): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) throw new AppError("month_invalid", `month ${text.slice(0, 20)}`);
  const secondsAt = (index: number): number => Date.UTC(Number(year), index, 1) / 1000;
  return { startSeconds: secondsAt(Number(month) - 1), endSeconds: secondsAt(Number(month)) };
}
