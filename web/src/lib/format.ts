const locale = (language: string): string => (language === "en" ? "en-US" : "zh-CN");

export type MoneyDisplay = { readonly quotaPerUnit: number; readonly inCurrency: boolean };

const trimZeros = (decimals: string): string => decimals.replace(/\.?0+$/, "");

/** Dollars with at most six decimals, trailing zeros cut, grouped: "$1,234.5". What is not 0 never reads as 0. */
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

/** An exact count with thousands grouped. */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Quota units the way the site shows money: dollars, or the raw count. */
export const formatQuota = (quota: number, { quotaPerUnit, inCurrency }: MoneyDisplay): string =>
  inCurrency ? formatDollars(quota / quotaPerUnit) : formatCount(quota);

const SHORT_STEPS = [
  { from: 1e9, unit: "B" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "k" },
] as const;
const SHORTEN_FROM = 1e4;

/** Large numbers shortened: from ten thousand as k, from a million as M, from a thousand million as B. */
export function formatShort(count: number): string {
  const magnitude = Math.abs(count);
  if (magnitude < SHORTEN_FROM) return formatCount(count);
  const step = SHORT_STEPS.find(({ from }) => magnitude >= from);
  return step ? `${trimZeros((count / step.from).toFixed(2))}${step.unit}` : formatCount(count);
}

/** Milliseconds as people read them: "820 ms", "1.32 s". */
export const formatMilliseconds = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${trimZeros((ms / 1000).toFixed(2))} s`;

/** Date and time to the second, in the reader's zone. */
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

const RELATIVE_STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number }[] = [
  { unit: "year", seconds: 31_536_000 },
  { unit: "month", seconds: 2_592_000 },
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
];

/** How far a moment is from now: "5 minutes ago", "in 3 days". */
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
