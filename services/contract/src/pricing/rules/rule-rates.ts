import {
  TOKEN_KINDS,
  type PriceBand,
  type PriceRule,
  type PriceTier,
  type Rates,
  type TokenKind,
} from "./price-rule.ts";

/** A price for every kind of token, in dollars per million. */
export type FullRates = Readonly<Record<TokenKind, number>>;

/** The prices of one tier: for a short prompt, and by the prompt length above which they change, in ascending order. */
export type TierRates = {
  readonly rates: FullRates;
  readonly bands: readonly { readonly above: number; readonly rates: FullRates }[];
};

/**
 * Anthropic's price of five-minute cache writes relative to the input; other providers without their own price charge
 * nothing extra.
 */
export const CACHE_WRITE_RATIO = 1.25;
/** The price of hour-long cache writes relative to five-minute ones. */
export const LONG_CACHE_WRITE_FACTOR = 1.6;
/** The ratio of audio in a completion to audio in the prompt, where only the latter has a price. */
export const AUDIO_COMPLETION_RATIO = 2;

const DIGITS = 12;

/** Removes rounding errors of floating point; a price has far fewer digits. */
export const tidy = (value: number): number => Number(value.toPrecision(DIGITS));

/** Prices for all kinds: a kind without its own price costs the same as the next more general kind. */
export function completeRates(rates: Rates): FullRates {
  const input = rates.input ?? 0;
  const output = rates.output ?? input;
  const cacheRead = rates.cache_read ?? input;
  const cacheWrite = rates.cache_write ?? tidy(input * CACHE_WRITE_RATIO);
  const { audio_input: audioInput } = rates;
  return {
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cache_write_1h: rates.cache_write_1h ?? tidy(cacheWrite * LONG_CACHE_WRITE_FACTOR),
    audio_input: audioInput ?? input,
    audio_output: rates.audio_output ?? (audioInput === undefined ? output : tidy(audioInput * AUDIO_COMPLETION_RATIO)),
    audio_cache_read: rates.audio_cache_read ?? cacheRead,
    image_input: rates.image_input ?? input,
    image_output: rates.image_output ?? output,
    image_cache_read: rates.image_cache_read ?? cacheRead,
    video_input: rates.video_input ?? input,
    video_output: rates.video_output ?? output,
    reasoning: rates.reasoning ?? output,
  };
}

/** A price for every kind in a band or tier: a kind without its own price changes in proportion to the input price. */
export function fillRates(rates: Rates, base: FullRates): FullRates {
  const by = base.input > 0 ? (rates.input ?? base.input) / base.input : 1;
  return Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, rates[kind] ?? tidy(base[kind] * by)])) as FullRates;
}

const fillBands = (bands: readonly PriceBand[] = [], base: FullRates): TierRates["bands"] =>
  bands.map(({ above, ...rates }) => ({ above, rates: fillRates(rates, base) }));

/** The prices of a rule's standard tier. */
export function standardRates(rule: PriceRule): TierRates {
  const rates = completeRates(rule);
  return { rates, bands: fillBands(rule.bands, rates) };
}

/** A tier's prices; bands that it does not name follow those of the standard tier. */
export function tierRates(tier: PriceTier, standard: TierRates): TierRates {
  const rates = fillRates(tier, standard.rates);
  if (tier.bands) return { rates, bands: fillBands(tier.bands, rates) };
  const follow = (band: FullRates): FullRates => {
    const factor = (kind: TokenKind): number => (standard.rates[kind] > 0 ? rates[kind] / standard.rates[kind] : 1);
    return Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, tidy(band[kind] * factor(kind))])) as FullRates;
  };
  return { rates, bands: standard.bands.map(({ above, rates: band }) => ({ above, rates: follow(band) })) };
}

/** The fewest prices from which `fill` makes these: kinds that follow another one are left out. */
export function compactRates(rates: FullRates, fill: (rates: Rates) => FullRates): Rates {
  let kept: Rates = { input: rates.input };
  // More general kinds come first: what a kind follows is decided before it.
  for (const kind of TOKEN_KINDS) if (fill(kept)[kind] !== rates[kind]) kept = { ...kept, [kind]: rates[kind] };
  return kept;
}
