import { text } from "../../../lib/i18n-source.ts";

const PRESETS_DOLLARS = [10, 20, 50, 100, 200, 500] as const;

/** Amounts that are offered, none below the least: dollars, or quota units where the site shows these. */
export const presetAmounts = (least: number, unit: number): readonly number[] =>
  PRESETS_DOLLARS.map((dollars) => dollars * unit).filter((amount) => amount >= least);

/** An amount that was typed, as it is taken: whole, and not below 1. */
export const wholeAmount = (typed: number): number => (Number.isNaN(typed) ? typed : Math.max(1, Math.floor(typed)));

/** The source sentence of what is wrong with an amount. */
export function amountProblem(amount: number, least: number): string | undefined {
  if (Number.isNaN(amount)) return text("请输入充值数量");
  return amount < least ? text("充值数量不能小于 {{min}}") : undefined;
}
