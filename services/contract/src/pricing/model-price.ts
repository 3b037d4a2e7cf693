import { timesRatio } from "./decimal.ts";
import { DOLLARS_PER_MILLION } from "./dollars.ts";
import { type FullRates, LONG_CACHE_WRITE_FACTOR, tidy } from "./rules/rule-rates.ts";
import { TOKEN_KINDS, type TokenKind } from "./rules/price-rule.ts";

/** Which rule gave a price; the log row names it. */
export type PriceRuleName = "model" | "upstream_model" | "fallback" | "unset_accepted";

/** What tokens of each kind count for. */
export type Weights = Readonly<Record<TokenKind, number>>;

/** Ratios as the one-api family knows them. */
export type FamilyRatios = {
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  readonly cacheWriteRatio: number;
  /** Cache writes with a lifetime of an hour. */
  readonly cacheWriteLongRatio: number;
  /** Ratio of prompt images to prompt text. */
  readonly imageRatio: number;
  /** Ratio of prompt audio to prompt text; `audio_input` in `toolPrices` takes precedence. */
  readonly audioRatio: number;
  /** Ratio of completion audio to prompt audio; without a prompt audio ratio, that of completion text. */
  readonly audioCompletionRatio: number;
};

/** Prices in dollars that are not for tokens. */
export type PiecePrices = {
  /** Of an image: one price, or prices by "quality/size", size or quality, "*" for all others. */
  readonly perImage?: number | Readonly<Record<string, number>>;
  readonly perSecond?: number;
  readonly perPage?: number;
};

/** One set of prices: of a model, or of one of its tiers and bands. */
export type FlatPrice = FamilyRatios & {
  readonly mode: "tokens" | "call";
  /** A token of a kind costs `base × weights[kind]` quota units, before the group's ratio. */
  readonly base: number;
  readonly weights: Weights;
  /** True where `weights` are exact prices instead of ratios: the log row then holds them. */
  readonly hasRates: boolean;
  /** Dollars a call; -1 in tokens mode, as log readers of this family expect. */
  readonly modelPrice: number;
};

const NO_WEIGHTS = Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, 0])) as Weights;

/** A price by the family's ratios; these are what is exact. */
export function priceByRatios(ratios: Omit<FamilyRatios, "cacheWriteLongRatio">): FlatPrice {
  const cacheWriteLongRatio = timesRatio(ratios.cacheWriteRatio, LONG_CACHE_WRITE_FACTOR);
  const { completionRatio: output, cacheRatio, audioRatio, imageRatio } = ratios;
  return {
    ...ratios,
    cacheWriteLongRatio,
    mode: "tokens",
    base: ratios.modelRatio,
    weights: {
      input: 1,
      output,
      cache_read: cacheRatio,
      cache_write: ratios.cacheWriteRatio,
      cache_write_1h: cacheWriteLongRatio,
      audio_input: audioRatio,
      audio_output: timesRatio(audioRatio, ratios.audioCompletionRatio),
      audio_cache_read: cacheRatio,
      image_input: imageRatio,
      image_output: output,
      image_cache_read: cacheRatio,
      video_input: 1,
      video_output: output,
      reasoning: output,
    },
    hasRates: false,
    modelPrice: -1,
  };
}

/** The family's ratios of some prices: as near as decimals of twelve digits come. */
export function toFamilyRatios(rates: FullRates): FamilyRatios {
  const over = (kind: TokenKind, base: number): number => (base > 0 ? tidy(rates[kind] / base) : 1);
  const ofInput = (kind: TokenKind): number => over(kind, rates.input);
  return {
    modelRatio: tidy(rates.input / DOLLARS_PER_MILLION),
    completionRatio: ofInput("output"),
    cacheRatio: ofInput("cache_read"),
    cacheWriteRatio: ofInput("cache_write"),
    cacheWriteLongRatio: ofInput("cache_write_1h"),
    imageRatio: ofInput("image_input"),
    audioRatio: ofInput("audio_input"),
    audioCompletionRatio: over("audio_output", rates.audio_input),
  };
}

/** A price by dollars per million tokens of each kind; these are what is exact. */
export const priceByRates = (rates: FullRates): FlatPrice => ({
  ...toFamilyRatios(rates),
  mode: "tokens",
  base: 1,
  weights: Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, tidy(rates[kind] / DOLLARS_PER_MILLION)])) as Weights,
  hasRates: true,
  modelPrice: -1,
});

/** A price in dollars a call; tokens are free. */
export const priceByCall = (modelPrice: number): FlatPrice => ({
  mode: "call",
  base: 0,
  weights: NO_WEIGHTS,
  hasRates: false,
  modelRatio: 0,
  completionRatio: 0,
  cacheRatio: 0,
  cacheWriteRatio: 0,
  cacheWriteLongRatio: 0,
  imageRatio: 0,
  audioRatio: 0,
  audioCompletionRatio: 0,
  modelPrice,
});
