/** How often a token's remaining quota is reset; periods are in UTC, and weeks begin on Mondays. */
export const BUDGET_PERIODS = ["day", "week", "month"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

export const isBudgetPeriod = (text: string): text is BudgetPeriod => BUDGET_PERIODS.some((period) => period === text);

/** When the period that contains a moment began. */
export function getPeriodStart(period: BudgetPeriod, atSeconds: number): number {
  const at = new Date(atSeconds * 1000);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === "month") return Date.UTC(year, month, 1) / 1000;
  return Date.UTC(year, month, period === "day" ? day : day - ((at.getUTCDay() + 6) % 7)) / 1000;
}

/** When the period that contains a moment ends. */
export function getPeriodEnd(period: BudgetPeriod, atSeconds: number): number {
  const at = new Date(atSeconds * 1000);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === "month") return Date.UTC(year, month + 1, 1) / 1000;
  const daysToMonday = ((8 - at.getUTCDay()) % 7) + (at.getUTCDay() === 1 ? 7 : 0);
  return Date.UTC(year, month, day + (period === "day" ? 1 : daysToMonday)) / 1000;
}
