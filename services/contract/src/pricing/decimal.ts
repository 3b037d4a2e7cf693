/**
 * Ratios have at most twelve decimals; a ratio r is stored as the integer r × SCALE, so that money never uses floating
 * point.
 */
export const SCALE = 1_000_000_000_000n;
const SCALE_DIGITS = 12;

/** Ratios are few and used by every call, so their scaled forms are cached. */
const scaledByValue = new Map<number, bigint>();
const REMEMBERED_MAX = 10_000;

/**
 * A finite, non-negative number as an exact scaled integer. Uses the number's shortest decimal text, so 0.1 is one
 * tenth. Digits after the twelfth decimal are cut.
 */
export function toScaled(value: number): bigint {
  const known = scaledByValue.get(value);
  if (known !== undefined) return known;
  if (scaledByValue.size >= REMEMBERED_MAX) scaledByValue.clear();
  const scaled = scale(value);
  scaledByValue.set(value, scaled);
  return scaled;
}

function scale(value: number): bigint {
  const text = value.toString();
  const [mantissa = "0", exponentText] = text.split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const exponent = Number(exponentText ?? "0");
  const digits = BigInt(whole + fraction);
  const shift = SCALE_DIGITS + exponent - fraction.length;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/**
 * The product of two ratios in decimal arithmetic: floating point alone makes 0.7 × 1.6 slightly less than 1.12, and a
 * half unit would round the wrong way.
 */
export const timesRatio = (one: number, other: number): number => Number((one * other).toPrecision(15));

/** A ratio, or several whose product is meant: floating point does not have it exactly. */
export type Ratio = number | readonly number[];

const toFactors = (ratio: Ratio): readonly number[] => (typeof ratio === "number" ? [ratio] : ratio);

/** The product of ratios as an exact integer, and the scale by which it is larger. */
export function toScaledProduct(ratio: Ratio): { readonly value: bigint; readonly scale: bigint } {
  const factors = toFactors(ratio);
  const value = factors.reduce((product, factor) => product * toScaled(factor), 1n);
  return { value, scale: SCALE ** BigInt(factors.length) };
}

/** The product of ratios in floating point. */
export const toApproximate = (ratio: Ratio): number =>
  toFactors(ratio).reduce((product, factor) => product * factor, 1);

/** numerator / denominator to the nearest integer, halves away from zero; both are non-negative. */
export const divideRounded = (numerator: bigint, denominator: bigint): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n);
