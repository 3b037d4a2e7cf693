import { divideRounded, SCALE, toScaled } from "./decimal.ts";

/** Dollars per million prompt tokens at model ratio 1. Every other form of this rate derives from this one. */
export const DOLLARS_PER_MILLION = 2;

/** Default number of quota units per dollar (option QuotaPerUnit): at ratio 1 a prompt token costs one unit. */
export const QUOTA_PER_UNIT_DEFAULT = 1_000_000 / DOLLARS_PER_MILLION;

/** Digits after the point of an amount in dollars. */
const DECIMALS = 12;
/** Digits and point of the texts that doubles hold exactly. */
const EXACT_LENGTH = 15;
const UNIT = 10n ** BigInt(DECIMALS);

/**
 * Quota as decimal text in dollars, without trailing zeros: exact where the number of quota units per dollar divides a
 * power of ten (as 500 000 does), else rounded to twelve decimals.
 */
export function formatDollars(quota: number, quotaPerUnit: number): string {
  // Every call passes here. A double has 15 exact digits: a text this short is the quotient itself.
  const short = String(quota / quotaPerUnit);
  if (short.length <= EXACT_LENGTH && !short.includes("e")) return short;
  const scaled = divideRounded(BigInt(quota) * UNIT * SCALE, toScaled(quotaPerUnit));
  const fraction = (scaled % UNIT).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  const whole = (scaled / UNIT).toString();
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The quota that an amount in dollars buys at most. */
export const toQuota = (dollars: number, quotaPerUnit: number): number =>
  Number((toScaled(dollars) * toScaled(quotaPerUnit)) / (SCALE * SCALE));

/** Hundredths of a currency as text of two decimals. */
export function formatCents(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
