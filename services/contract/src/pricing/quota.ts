import { chargeLines, hasSpecialParts } from "./charge-lines.ts";
import { divideRounded, SCALE, toScaled } from "./decimal.ts";
import type { ModelPrice } from "./price-book.ts";
import type { TokenUsage } from "./usage.ts";

export { NO_USAGE, type TokenUsage } from "./usage.ts";

/** The maximum quota of a call, whatever its reported usage: sums of a thousand such calls remain exact. */
export const QUOTA_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/**
 * The quota a call costs, an integer.
 *
 * By tokens: ((prompt − cached − written) + cached × CaR + written × CwR + completion × CR) × MR × GR, computed exactly (in
 * floating point where that cannot make a difference, in integers otherwise) and rounded once, halves away from zero; at least 1 when a billable token was used and the ratio is above 0; no tokens cost 0.
 * By call: price × quota per dollar × GR, rounded the same way. Sound, images, hour-long cache writes and the provider's own tools
 * count as charge-lines.ts says.
 */
export function computeQuota(price: ModelPrice, groupRatio: number, quotaPerUnit: number, usage: TokenUsage): number {
  if (hasSpecialParts(usage)) return exactQuota(price, groupRatio, quotaPerUnit, usage);
  if (price.mode === "call") {
    return Number(
      divideRounded(toScaled(price.modelPrice) * toScaled(quotaPerUnit) * toScaled(groupRatio), SCALE * SCALE * SCALE),
    );
  }
  if (usage.promptTokens + usage.completionTokens === 0) return 0;
  const cached = Math.min(usage.cacheReadTokens, usage.promptTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const approximate = approximateQuota(price, groupRatio, usage, { cached, written });
  if (isRoundingCertain(approximate)) return Math.round(approximate);
  const tokens =
    BigInt(usage.promptTokens - cached - written) * SCALE +
    BigInt(cached) * toScaled(price.cacheRatio) +
    BigInt(written) * toScaled(price.cacheWriteRatio) +
    BigInt(usage.completionTokens) * toScaled(price.completionRatio);
  const exact = tokens * toScaled(price.modelRatio) * toScaled(groupRatio);
  if (exact === 0n) return 0;
  const quota = Number(divideRounded(exact, SCALE * SCALE * SCALE));
  return quota === 0 ? 1 : quota;
}

/** The largest number of pieces that a price in dollars is for. */
const PIECES = 1_000_000n;

/** The same with every kind of token and tool, always in integers. */
function exactQuota(price: ModelPrice, groupRatio: number, quotaPerUnit: number, usage: TokenUsage): number {
  if (usage.promptTokens + usage.completionTokens === 0 && price.mode === "tokens") return 0;
  const lines = chargeLines(price, usage);
  const tokens = lines.tokens.reduce((sum, line) => sum + BigInt(line.tokens) * toScaled(line.ratio), 0n);
  const dollars = lines.dollars.reduce(
    (sum, line) => sum + BigInt(line.count) * toScaled(line.dollars) * (PIECES / BigInt(line.per)),
    price.mode === "call" ? toScaled(price.modelPrice) * PIECES : 0n,
  );
  const exact =
    (tokens * toScaled(price.modelRatio) * PIECES + dollars * toScaled(quotaPerUnit)) * toScaled(groupRatio);
  if (exact === 0n) return 0;
  const quota = Number(divideRounded(exact, SCALE * SCALE * SCALE * PIECES));
  return quota === 0 && price.mode === "tokens" ? 1 : quota;
}

/** Floating point carries 15 digits: below this a result is off by far less than the margin. */
const CERTAIN_BELOW = 1e9;
const MARGIN = 1e-5;

/** True when no floating-point error could change what the value rounds to (and it is not below 1, where other rules hold). */
function isRoundingCertain(value: number): boolean {
  return value >= 1 && value < CERTAIN_BELOW && Math.abs(value - Math.floor(value) - 0.5) > MARGIN;
}

function approximateQuota(
  price: ModelPrice,
  groupRatio: number,
  usage: TokenUsage,
  parts: { readonly cached: number; readonly written: number },
): number {
  const { cached, written } = parts;
  const tokens =
    usage.promptTokens -
    cached -
    written +
    cached * price.cacheRatio +
    written * price.cacheWriteRatio +
    usage.completionTokens * price.completionRatio;
  return tokens * price.modelRatio * groupRatio;
}

/**
 * An estimate of a call's quota, below the exact figure by at most one: for holds, which are made on every call and
 * corrected at settlement. Plain floating point.
 */
export function estimateQuota(
  price: ModelPrice,
  groupRatio: number,
  quotaPerUnit: number,
  tokens: { readonly promptTokens: number; readonly completionTokens: number },
): number {
  if (price.mode === "call") return Math.round(price.modelPrice * quotaPerUnit * groupRatio);
  const { promptTokens, completionTokens } = tokens;
  return Math.ceil((promptTokens + completionTokens * price.completionRatio) * price.modelRatio * groupRatio);
}
