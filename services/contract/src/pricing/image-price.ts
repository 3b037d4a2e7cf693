import { divideRounded, type Ratio, SCALE, toScaled, toScaledProduct } from "./decimal.ts";
import type { FlatPrice, PiecePrices } from "./model-price.ts";

/** The price in dollars of a plain image of a model with ratio 1. */
export const IMAGE_DOLLARS = 0.0025;

/** Cloudflare's models with a price per tile of 512 × 512. */
const PAID_BY_TILE = /^@cf\/.*\/(flux-2-|lucid-|phoenix-)/;
export const isPaidByTile = (model: string): boolean => PAID_BY_TILE.test(model);
/** Their default image size, in pixels. */
export const TILED_SIDE_DEFAULT = 1024;

/**
 * The quota of images priced per piece. `units` is the number of equivalent plain images (size × quality × number). By
 * call: price × units × quota per dollar × GR; by ratio: 0.0025 × MR dollars per plain image, at least 1. Exact,
 * rounded once.
 */
export function computeImageQuota(price: FlatPrice, groupRatio: Ratio, quotaPerUnit: number, units: number): number {
  const group = toScaledProduct(groupRatio);
  const common = toScaled(units) * toScaled(quotaPerUnit) * group.value;
  const scale = SCALE ** 3n * group.scale;
  if (price.mode === "call") return Number(divideRounded(toScaled(price.modelPrice) * common, scale));
  const exact = toScaled(price.modelRatio) * toScaled(IMAGE_DOLLARS) * common;
  if (exact === 0n) return 0;
  return Math.max(1, Number(divideRounded(exact, SCALE * scale)));
}

/** What images a call requests. `resolution` is that of providers that have it instead of a size and a quality: "1k", "2k". */
export type ImageKind = { readonly quality: string; readonly size: string; readonly resolution?: string };
export type ImagePieces = ImageKind & { readonly count: number };

/** The price of one image in dollars, and the kind that has it. A kind without a price costs what the most expensive one does. */
export function getImagePrice(
  perImage: NonNullable<PiecePrices["perImage"]>,
  { quality, size, resolution = "" }: ImageKind,
): { readonly dollars: number; readonly kind?: string } {
  if (typeof perImage === "number") return { dollars: perImage };
  const kind = [resolution, `${quality}/${size}`, size, quality, "*"].find((name) => Object.hasOwn(perImage, name));
  if (kind === undefined) return { dollars: Math.max(0, ...Object.values(perImage)) };
  return { dollars: perImage[kind] ?? 0, kind };
}
