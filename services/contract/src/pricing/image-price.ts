import { divideRounded, SCALE, toScaled } from "./decimal.ts";
import type { ModelPrice } from "./price-book.ts";

/** Dollars that a plain image of a model with a ratio costs, for ratio 1. */
export const IMAGE_DOLLARS = 0.0025;

/** Cloudflare's models with a price per tile of 512 × 512. */
const PAID_BY_TILE = /^@cf\/.*\/(flux-2-|lucid-|phoenix-)/;
export const isPaidByTile = (model: string): boolean => PAID_BY_TILE.test(model);
/** Their default image size, in pixels. */
export const TILED_SIDE_DEFAULT = 1024;

/**
 * The quota of images priced per piece. `units` is the number of equivalent plain images (size × quality × number). By
 * call: price × units × quota per dollar × GR; by ratio: 0.0025 × MR dollars a plain image, at least 1. Exact, rounded
 * once.
 */
export function computeImageQuota(price: ModelPrice, groupRatio: number, quotaPerUnit: number, units: number): number {
  const common = toScaled(units) * toScaled(quotaPerUnit) * toScaled(groupRatio);
  if (price.mode === "call") return Number(divideRounded(toScaled(price.modelPrice) * common, SCALE ** 4n));
  const exact = toScaled(price.modelRatio) * toScaled(IMAGE_DOLLARS) * common;
  if (exact === 0n) return 0;
  return Math.max(1, Number(divideRounded(exact, SCALE ** 5n)));
}
