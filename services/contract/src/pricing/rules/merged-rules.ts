import { scaleVariants } from "./overridden-rules.ts";
import { type PriceBand, type PriceRule, type Rates, TOKEN_KINDS, type TokenKind } from "./price-rule.ts";
import { completeRates, tidy } from "./rule-rates.ts";

/** Ratios are published with six decimals: prices that differ by less are the same. */
const PRECISION = 1e-6;

const isNear = (one: number, other: number): boolean =>
  one === other || Math.abs(one - other) <= PRECISION * Math.max(one, other);

const OUTPUT_KINDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "output",
  "audio_output",
  "image_output",
  "video_output",
  "reasoning",
]);

const divide = (next: number, former: number): number => (former > 0 ? next / former : 1);

/** The rates of a source over those in force: kinds that the source does not state follow its input or output price. */
function mergeRates(inForce: Rates, stated: Rates): Rates {
  const before = completeRates(inForce);
  const next = (kind: TokenKind): number | undefined => {
    const rate = stated[kind];
    return rate !== undefined && isNear(rate, before[kind]) ? before[kind] : rate;
  };
  const byInput = divide(next("input") ?? before.input, before.input);
  const byOutput = divide(next("output") ?? before.output * byInput, before.output);
  const pairs = TOKEN_KINDS.flatMap((kind): [TokenKind, number][] => {
    const [own, rate] = [inForce[kind], next(kind)];
    if (rate !== undefined && (own !== undefined || rate !== before[kind])) return [[kind, rate]];
    if (own === undefined) return [];
    const by = OUTPUT_KINDS.has(kind) ? byOutput : byInput;
    return [[kind, by === 1 ? own : tidy(own * by)]];
  });
  return Object.fromEntries(pairs);
}

/** The bands of a source, each with the kinds that only the band in force prices. */
const mergeBands = (kept: readonly PriceBand[], stated: readonly PriceBand[]): readonly PriceBand[] =>
  stated.map((band) => ({ ...kept.find(({ above }) => above === band.above), ...band }));

type ImagePrices = NonNullable<PriceRule["per_image"]>;

const plainImage = (prices: ImagePrices): number =>
  typeof prices === "number" ? prices : (prices["*"] ?? Math.max(0, ...Object.values(prices)));

const scaleImages = (prices: ImagePrices, by: number): ImagePrices =>
  typeof prices === "number"
    ? tidy(prices * by)
    : Object.fromEntries(Object.entries(prices).map(([kind, dollars]) => [kind, tidy(dollars * by)]));

/** How the family's tables write a price by the piece: a price a call, or an input price. A minute counts as a thousand tokens. */
const FAMILY_FORMS = {
  per_second: { field: "input", times: 60_000 },
  per_character: { field: "input", times: 1_000_000 },
  per_call: { field: "per_call", times: 1 },
} as const;

/** A price by the piece, changed by as much as the family's form of it. Another basis replaces it. */
function mergePieces(inForce: PriceRule, stated: PriceRule): PriceRule {
  const { per_image: images } = inForce;
  if (images !== undefined && inForce.per_call === undefined) {
    if (stated.per_call === undefined) return stated;
    const plain = plainImage(images);
    if (isNear(plain, stated.per_call)) return inForce;
    return plain > 0 ? { ...inForce, per_image: scaleImages(images, stated.per_call / plain) } : stated;
  }
  const form = (["per_call", "per_second", "per_character"] as const).find((name) => inForce[name] !== undefined);
  const former = form && inForce[form];
  if (form === undefined || former === undefined) return stated;
  const { field, times } = FAMILY_FORMS[form];
  const next = stated[field];
  const hasOutput = stated.output !== undefined && stated.output !== 0 && stated.output !== stated.input;
  if (next === undefined || hasOutput) return stated;
  return isNear(former * times, next) ? inForce : { ...inForce, [form]: tidy(next / times) };
}

/**
 * The price of a source that cannot express all parts of one, over the price in force: parts that the source does not state stay, in
 * proportion to what it states, so that a long prompt or a faster tier is not sold below cost. Another basis replaces the price.
 */
export function mergeRule(inForce: PriceRule, stated: PriceRule): PriceRule {
  if (inForce.input === undefined) return mergePieces(inForce, stated);
  if (stated.input === undefined) return stated;
  const rates = mergeRates(inForce, stated);
  const variants = scaleVariants(inForce, completeRates(inForce), completeRates(rates));
  const bands = stated.bands ? { bands: mergeBands(variants.bands ?? [], stated.bands) } : {};
  return { ...inForce, ...rates, ...variants, ...bands };
}
