import { getImagePrice } from "@turnpike/contract/pricing/image-price";
import { standardRates, type FullRates, type TierRates, tierRates } from "@turnpike/contract/pricing/rules/rule-rates";
import { TOKEN_KINDS, type PriceRule } from "@turnpike/contract/pricing/rules/price-rule";

/** The factor of a price that is free, or missing, on one side only. */
export const UNBOUNDED_FACTOR = Number.MAX_SAFE_INTEGER;

const calculateRatio = (one: number, other: number): number => {
  if (one === other) return 1;
  return one === 0 || other === 0 ? UNBOUNDED_FACTOR : Math.max(one / other, other / one);
};

/** Figures that are this near are the same: sources round theirs. */
const NEAR = 1 + 1e-9;

/** The prices of every tier of a rule, the standard one under "". */
function listTiers(rule: PriceRule): ReadonlyMap<string, TierRates> {
  const standard = standardRates(rule);
  const tiers = Object.entries(rule.tiers ?? {}).map(([name, tier]) => [name, tierRates(tier, standard)] as const);
  return new Map([["", standard], ...tiers]);
}

const ratesAt = ({ rates, bands }: TierRates, promptTokens: number): FullRates =>
  bands.findLast(({ above }) => promptTokens > above)?.rates ?? rates;

/** Whether a prompt length at which one price list changes its price is missing in the other. */
const lacksBand = (before: TierRates, after: TierRates): boolean =>
  before.bands.some(({ above }) => !after.bands.some((band) => band.above === above));

type Regions = Readonly<Record<string, number>>;

/** Each pair of factors that a call may have by its region, before and after; the first is that of a call without one. */
function pairRegions(before: Regions = {}, after: Regions = {}): readonly (readonly [number, number])[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return [[1, 1], ...names.map((name) => [before[name] ?? 1, after[name] ?? 1] as const)];
}

/** Compares the prices of one tier for every kind of token, at every prompt length where either list changes, in every region. */
function compareTier(before: TierRates, after: TierRates, regions: ReturnType<typeof pairRegions>): number {
  const lengths = [0, ...[...before.bands, ...after.bands].map(({ above }) => above + 1)];
  const factors = lengths.flatMap((length) => {
    const [one, other] = [ratesAt(before, length), ratesAt(after, length)];
    return TOKEN_KINDS.flatMap((kind) =>
      regions.map(([old, now]) => calculateRatio(one[kind] * old, other[kind] * now)),
    );
  });
  return Math.max(...factors);
}

/** A tier that is new is compared with the standard one; one that is dropped has no price any more. */
function compareTokens(before: PriceRule, after: PriceRule): number {
  const [old, now] = [listTiers(before), listTiers(after)];
  if ([...old.keys()].some((tier) => !now.has(tier))) return UNBOUNDED_FACTOR;
  const regions = pairRegions(before.regions, after.regions);
  const standard = standardRates(before);
  const factors = [...now].map(([tier, rates]) => {
    const known = old.get(tier);
    return known && lacksBand(known, rates) ? UNBOUNDED_FACTOR : compareTier(known ?? standard, rates, regions);
  });
  return Math.max(...factors);
}

type ImagePrices = NonNullable<PriceRule["per_image"]>;

const listKinds = (prices: ImagePrices): readonly string[] =>
  typeof prices === "number" ? ["*"] : Object.keys(prices);

/** The price of the images of one kind, `quality/size` or one of both. */
function findImage(prices: ImagePrices, kind: string): number {
  const [first = "", size = first] = kind.split("/");
  return getImagePrice(prices, { quality: first, size }).dollars;
}

function compareImages(before: PriceRule["per_image"], after: PriceRule["per_image"]): number {
  if (before === undefined && after === undefined) return 1;
  if (before === undefined || after === undefined) return UNBOUNDED_FACTOR;
  const kinds = new Set([...listKinds(before), ...listKinds(after)]);
  return Math.max(...[...kinds].map((kind) => calculateRatio(findImage(before, kind), findImage(after, kind))));
}

/** Pieces that every rule may price, and those that count only where tokens have no price. */
const PIECES = ["per_page", "per_search"] as const;
const BASES = ["per_call", "per_second", "per_character"] as const;

function comparePieces(before: PriceRule, after: PriceRule): number {
  const fields = before.input === undefined ? [...PIECES, ...BASES] : PIECES;
  const factors = fields.map((field) => calculateRatio(before[field] ?? 0, after[field] ?? 0));
  return Math.max(compareImages(before.per_image, after.per_image), ...factors);
}

/**
 * How many times the higher of two prices is the lower one, at most over every kind of token, prompt length, tier, region and piece.
 * A tier, a prompt length or a basis that only the former price has is unbounded: it cannot be charged as before.
 */
export function getPriceFactor(before: PriceRule, after: PriceRule): number {
  if ((before.input === undefined) !== (after.input === undefined)) return UNBOUNDED_FACTOR;
  const pieces = comparePieces(before, after);
  return before.input === undefined ? pieces : Math.max(pieces, compareTokens(before, after));
}

/** Whether every call costs the same at both prices, and both have the same tiers. */
export function isSamePrice(one: PriceRule, other: PriceRule): boolean {
  const [tiers, others] = [one, other].map((rule) =>
    Object.keys(rule.tiers ?? {})
      .toSorted()
      .join(),
  );
  return tiers === others && getPriceFactor(one, other) <= NEAR && getPriceFactor(other, one) <= NEAR;
}
