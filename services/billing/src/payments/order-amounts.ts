import { divideRounded, SCALE, toScaled } from "@turnpike/contract/pricing/decimal";

/** The maximum price of an order, in hundredths: Stripe's limit. */
export const MONEY_CENTS_MAX = 99_999_999;
/** The maximum quota of an order. */
export const ORDER_QUOTA_MAX = 1e15;

/** The amount to buy: dollars, or quota units where the site shows quota. */
export type Amount = { readonly amount: number; readonly isCurrency: boolean; readonly quotaPerUnit: number };

/** The quota for an amount. */
export function toQuotaAmount({ amount, isCurrency, quotaPerUnit }: Amount): number {
  if (!isCurrency) return amount;
  return Number(divideRounded(BigInt(amount) * toScaled(quotaPerUnit), SCALE));
}

/** The price of an amount in hundredths: amount × price × ratio, exact, rounded once. */
export function toMoneyCents(bought: Amount, unitPrice: number, groupRatio: number): number {
  const { amount, isCurrency, quotaPerUnit } = bought;
  const product = BigInt(amount) * 100n * toScaled(unitPrice) * toScaled(groupRatio);
  if (isCurrency) return Number(divideRounded(product, SCALE * SCALE));
  return Number(divideRounded(product, SCALE * toScaled(quotaPerUnit)));
}

/** The ratio of a group's price; missing and 0 mean 1. */
export const getTopUpRatio = (ratios: Readonly<Record<string, number>>, group: string): number =>
  (Object.hasOwn(ratios, group) ? ratios[group] : undefined) || 1;

/** Parses money with at most two significant decimals; undefined for anything else. */
export function parseMoneyCents(text: string): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(2))) return undefined;
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
}
