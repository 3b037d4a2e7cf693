const locale = (language: string): string => (language === "en" ? "en-US" : "zh-CN");

export type MoneyDisplay = { readonly quotaPerUnit: number; readonly inCurrency: boolean };

const trimZeros = (decimals: string): string => decimals.replace(/\.?0+$/, "");

/**
 * Dollars with at most six decimals, without trailing zeros, grouped: "$1,234.5". A value that is not 0 never shows as
 * 0.
 */
export function formatDollars(dollars: number): string {
  const magnitude = Math.abs(dollars);
  const sign = dollars < 0 ? "-" : "";
  if (magnitude > 0 && magnitude < 0.000001) return `${sign}<$0.000001`;
  const fixed = magnitude.toFixed(6);
  const [whole = "0", decimals = ""] = fixed.split(".");
  const rest = trimZeros(`.${decimals}`);
  const cents = rest.length === 2 ? `${rest}0` : rest;
  return `${sign}$${Number(whole).toLocaleString("en-US")}${cents === "." ? "" : cents}`;
}

/** A sum of money: from a dollar on with cents alone, below with all six decimals. */
export const formatDollarSum = (dollars: number): string =>
  formatDollars(Math.abs(dollars) >= 1 ? Math.round(dollars * 100) / 100 : dollars);

const PRICE_DIGITS = 5;

/**
 * A price that was calculated from ratios, without the noise of their decimals: $2.50 where their product is
 * $2.49999.
 */
export const formatPrice = (dollars: number): string => formatDollars(Number(dollars.toPrecision(PRICE_DIGITS)));

/** An exact count with grouped thousands. */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Quota units in the site's display unit: dollars, or the raw count. */
export const formatQuota = (quota: number, { quotaPerUnit, inCurrency }: MoneyDisplay): string =>
  inCurrency ? formatDollars(quota / quotaPerUnit) : formatCount(quota);

/** A sum of quota units in the site's display unit, dollars with cents alone. */
export const formatQuotaSum = (quota: number, { quotaPerUnit, inCurrency }: MoneyDisplay): string =>
  inCurrency ? formatDollarSum(quota / quotaPerUnit) : formatCount(quota);

const SHORT_STEPS = [
  { from: 1e9, unit: "B" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "k" },
] as const;
const SHORTEN_FROM = 1e4;

/** Large numbers shortened: from ten thousand as k, from a million as M, from a billion as B. */
export function formatShort(count: number): string {
  const magnitude = Math.abs(count);
  if (magnitude < SHORTEN_FROM) return formatCount(count);
  const step = SHORT_STEPS.find(({ from }) => magnitude >= from);
  return step ? `${trimZeros((count / step.from).toFixed(2))}${step.unit}` : formatCount(count);
}

const AXIS_DIGITS = 3;

/** A tick of an axis of dollars: short, and with as many decimals as small sums need to differ. */
export function formatAxisDollars(dollars: number): string {
  const rounded = Number(dollars.toPrecision(AXIS_DIGITS));
  return Math.abs(rounded) >= 1 ? `$${formatShort(rounded)}` : `$${trimZeros(rounded.toFixed(6))}`;
}

/** A duration in ms as text: "820 ms", "1.32 s". */
export const formatMilliseconds = (ms: number): string =>
  ms < 1000 ? `${ms < 10 ? trimZeros(ms.toFixed(2)) : Math.round(ms)} ms` : `${trimZeros((ms / 1000).toFixed(2))} s`;

/** A share as integer percent; a value above 0 never shows as 0. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? "<1%" : `${Math.round(share * 100)}%`;

/** Date and time to the second, in the user's time zone. */
export const formatTime = (seconds: number, language: string): string =>
  new Intl.DateTimeFormat(locale(language), {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  }).format(seconds * 1000);

/** A time for files that programs read, in UTC; empty for 0. */
export const toIsoTime = (seconds: number): string => (seconds > 0 ? new Date(seconds * 1000).toISOString() : "");

const RELATIVE_STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number }[] = [
  { unit: "year", seconds: 31_536_000 },
  { unit: "month", seconds: 2_592_000 },
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
];

/** A time relative to now: "5 minutes ago", "in 3 days". */
export function formatRelative(seconds: number, nowSeconds: number, language: string): string {
  const difference = seconds - nowSeconds;
  const step = RELATIVE_STEPS.find((candidate) => Math.abs(difference) >= candidate.seconds);
  const format = new Intl.RelativeTimeFormat(locale(language), { numeric: "auto", style: "short" });
  return step ? format.format(Math.round(difference / step.seconds), step.unit) : format.format(0, "second");
}

/** A ratio or price factor without trailing zeros. */
export const formatRatio = (ratio: number): string => trimZeros(ratio.toFixed(6));

/** A change as a signed percentage, such as "+12.5%". */
export const formatChange = (share: number): string =>
  new Intl.NumberFormat("en-US", { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 1 }).format(
    share,
  );
