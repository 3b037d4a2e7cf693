import { chargeLines, hasSpecialParts, type LinePrices } from "./charge-lines.ts";
import { divideRounded, type Ratio, SCALE, toApproximate, toScaled, toScaledProduct } from "./decimal.ts";
import type { FlatPrice } from "./model-price.ts";
import { QUOTA_PER_UNIT_DEFAULT } from "./dollars.ts";
import type { ModelPrice } from "./price-tables.ts";
import { selectPrice } from "./price-variants.ts";
import type { TokenUsage } from "./usage.ts";

export { NO_USAGE, type TokenUsage } from "./usage.ts";

/** The maximum quota of a call, whatever its reported usage: sums of a thousand such calls remain exact. */
export const QUOTA_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/** What all lines of a call are multiplied with. */
type Factors = { readonly groupRatio: Ratio; readonly regionRatio: number; readonly quotaPerUnit: number };

/**
 * The quota a call costs, an integer: its dollars × quota per dollar × GR. `groupRatio` may be several ratios, such as the group's and the share of a cached response.
 *
 * The response's tier, speed and region and the length of the prompt choose the price (price-variants.ts). By tokens: the sum of the
 * tokens of each kind × their price, computed exactly (in floating point where that cannot make a difference, in integers
 * otherwise) and rounded once, halves away from zero; at least 1 when a billable token was used and the ratio is above 0; no tokens
 * cost 0. By call: the price, rounded the same way. What is paid in dollars counts as described in charge-lines.ts. A ratio of 1 is two
 * dollars per million tokens whatever a dollar's quota is.
 */
export function computeQuota(price: ModelPrice, groupRatio: Ratio, quotaPerUnit: number, usage: TokenUsage): number {
  const { price: flat, regionRatio } = selectPrice(price, usage);
  const lines: LinePrices = flat === price ? price : withPieces(price, flat);
  const factors = { groupRatio, regionRatio, quotaPerUnit };
  if (hasSpecialParts(usage, lines)) return exactQuota(lines, factors, usage);
  if (price.mode === "tokens" && usage.promptTokens + usage.completionTokens === 0) return 0;
  if (price.mode === "tokens") {
    const approximate = approximateQuota(flat, factors, usage);
    if (isRoundingCertain(approximate)) return Math.round(approximate);
  }
  return exactQuota(lines, factors, usage);
}

/** A flat price of a model with the model's prices for tools and pieces. */
export const withPieces = ({ toolPrices, pieces }: LinePrices, flat: FlatPrice): LinePrices => ({
  ...flat,
  toolPrices,
  ...(pieces === undefined ? {} : { pieces }),
});

/** The largest number of pieces that a price in dollars is for. */
const PIECES = 1_000_000n;
/** Tokens that a dollar buys at ratio 1. */
const TOKENS_PER_DOLLAR = BigInt(QUOTA_PER_UNIT_DEFAULT);
const EXACT_SCALE = SCALE ** 4n * PIECES * TOKENS_PER_DOLLAR;
const DOLLAR_SCALE = SCALE * TOKENS_PER_DOLLAR;

/** Several requests that are charged as one call: each at its own price. */
export type PricedUsage = { readonly price: ModelPrice; readonly usage: TokenUsage };

/** The quota of requests that are charged together: the sum of their exact costs, rounded once, by the rules of computeQuota. */
export function computeTotalQuota(parts: readonly PricedUsage[], groupRatio: Ratio, quotaPerUnit: number): number {
  const exact = parts.reduce((sum, { price, usage }) => {
    const { price: flat, regionRatio } = selectPrice(price, usage);
    return sum + exactCost(withPieces(price, flat), { groupRatio, regionRatio, quotaPerUnit }, usage);
  }, 0n);
  return roundExact(
    exact,
    groupRatio,
    parts.some(({ price }) => price.mode === "tokens"),
  );
}

/** The quota in integers: every kind of token, tools and pieces. */
const exactQuota = (price: LinePrices, factors: Factors, usage: TokenUsage): number =>
  roundExact(exactCost(price, factors, usage), factors.groupRatio, price.mode === "tokens");

/** The quota × EXACT_SCALE × the scale of the group's ratio. */
function exactCost(price: LinePrices, factors: Factors, usage: TokenUsage): bigint {
  if (usage.promptTokens + usage.completionTokens === 0 && price.mode === "tokens") return 0n;
  const lines = chargeLines(price, usage);
  const tokens = lines.tokens.reduce((sum, line) => sum + BigInt(line.tokens) * toScaled(line.weight), 0n);
  const dollars = lines.dollars.reduce(
    (sum, line) => sum + BigInt(line.count) * toScaled(line.dollars) * (PIECES / BigInt(line.per)),
    price.mode === "call" ? toScaled(price.modelPrice) * PIECES : 0n,
  );
  return (
    (tokens * toScaled(price.base) * PIECES + dollars * DOLLAR_SCALE) *
    toScaled(factors.quotaPerUnit) *
    toScaledProduct(factors.groupRatio).value *
    toScaled(factors.regionRatio)
  );
}

/** What was used costs at least 1 where it is charged by tokens. */
function roundExact(exact: bigint, groupRatio: Ratio, isByTokens: boolean): number {
  if (exact === 0n) return 0;
  const quota = Number(divideRounded(exact, EXACT_SCALE * toScaledProduct(groupRatio).scale));
  return quota === 0 && isByTokens ? 1 : quota;
}

/** Floating point carries 15 digits: below this a result is off by far less than the margin. */
const CERTAIN_BELOW = 1e9;
const MARGIN = 1e-5;

/** True when no floating-point error could change what the value rounds to (and it is not below 1, where other rules hold). */
function isRoundingCertain(value: number): boolean {
  return value >= 1 && value < CERTAIN_BELOW && Math.abs(value - Math.floor(value) - 0.5) > MARGIN;
}

function approximateQuota({ base, weights }: FlatPrice, factors: Factors, usage: TokenUsage): number {
  const cached = Math.min(usage.cacheReadTokens, usage.promptTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const tokens =
    (usage.promptTokens - cached - written) * weights.input +
    cached * weights.cache_read +
    written * weights.cache_write +
    usage.completionTokens * weights.output;
  const quota = tokens * base * toApproximate(factors.groupRatio) * factors.regionRatio;
  return factors.quotaPerUnit === QUOTA_PER_UNIT_DEFAULT
    ? quota
    : (quota * factors.quotaPerUnit) / QUOTA_PER_UNIT_DEFAULT;
}
