import { timesRatio } from "../decimal.ts";
import { DOLLARS_PER_MILLION } from "../dollars.ts";
import { TOKEN_KINDS, type PriceRule, type PriceTier, type Rates, type TokenKind } from "./price-rule.ts";
import { AUDIO_COMPLETION_RATIO, completeRates, type FullRates, LONG_CACHE_WRITE_FACTOR, tidy } from "./rule-rates.ts";

/** The family's ratios that an operator set for a model. */
export type FamilyOverrides = {
  readonly modelRatio?: number;
  readonly completionRatio?: number;
  readonly cacheRatio?: number;
  readonly cacheWriteRatio?: number;
  readonly imageRatio?: number;
  readonly audioRatio?: number;
  readonly audioCompletionRatio?: number;
};

/** The standard prices with the operator's ratios in place of the rule's. */
function overrideRates(before: FullRates, overrides: FamilyOverrides): FullRates {
  const { modelRatio } = overrides;
  const input = modelRatio === undefined ? before.input : timesRatio(modelRatio, DOLLARS_PER_MILLION);
  const by = before.input > 0 ? input / before.input : 1;
  const follow = Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, tidy(before[kind] * by)])) as FullRates;
  const times = (ratio: number | undefined, base: number): number | undefined =>
    ratio === undefined ? undefined : timesRatio(base, ratio);
  const output = times(overrides.completionRatio, input);
  const cacheRead = times(overrides.cacheRatio, input);
  const cacheWrite = times(overrides.cacheWriteRatio, input);
  const image = times(overrides.imageRatio, input);
  const audio = times(overrides.audioRatio, input);
  const audioBase = audio ?? follow.audio_input;
  const audioOutputRatio = overrides.audioCompletionRatio ?? (audio === undefined ? undefined : AUDIO_COMPLETION_RATIO);
  return {
    ...follow,
    input,
    ...(output === undefined ? {} : { output, reasoning: output }),
    ...(cacheRead === undefined
      ? {}
      : { cache_read: cacheRead, audio_cache_read: cacheRead, image_cache_read: cacheRead }),
    ...(cacheWrite === undefined
      ? {}
      : { cache_write: cacheWrite, cache_write_1h: timesRatio(cacheWrite, LONG_CACHE_WRITE_FACTOR) }),
    ...(image === undefined ? {} : { image_input: image }),
    ...(audio === undefined ? {} : { audio_input: audio }),
    ...(audioOutputRatio === undefined ? {} : { audio_output: timesRatio(audioBase, audioOutputRatio) }),
  };
}

/** The bands and tiers of a rule whose standard prices change; they keep their proportion to these. */
export function scaleVariants(
  rule: PriceRule,
  before: FullRates,
  after: FullRates,
): Pick<PriceRule, "bands" | "tiers"> {
  const scaleKind = (kind: TokenKind, rate: number): number => {
    if (before[kind] === after[kind]) return rate;
    return before[kind] > 0 ? tidy((rate * after[kind]) / before[kind]) : after[kind];
  };
  const scale = <Shape extends Rates>(rates: Shape): Shape => ({
    ...rates,
    ...Object.fromEntries(
      TOKEN_KINDS.flatMap((kind) => {
        const rate = rates[kind];
        return rate === undefined ? [] : [[kind, scaleKind(kind, rate)]];
      }),
    ),
  });
  const scaleTier = (tier: PriceTier): PriceTier => ({
    ...scale(tier),
    ...(tier.bands ? { bands: tier.bands.map(scale) } : {}),
  });
  const tiers = Object.entries(rule.tiers ?? {}).map(([name, tier]) => [name, scaleTier(tier)] as const);
  return {
    ...(rule.bands ? { bands: rule.bands.map(scale) } : {}),
    ...(rule.tiers ? { tiers: Object.fromEntries(tiers) } : {}),
  };
}

/**
 * A rule with an operator's ratios: they replace its standard prices, and its bands and tiers keep their proportion to these, so that
 * a long prompt or a faster tier is not sold below cost.
 */
export function withOverrides(rule: PriceRule, overrides: FamilyOverrides): PriceRule {
  if (rule.input === undefined) return rule;
  const before = completeRates(rule);
  const after = overrideRates(before, overrides);
  return { ...rule, ...after, ...scaleVariants(rule, before, after) };
}
