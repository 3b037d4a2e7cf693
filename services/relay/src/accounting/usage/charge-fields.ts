import { type ChargeLines, chargeLines, hasSpecialParts } from "@turnpike/contract/pricing/charge-lines";
import { type FindModelPrice, getIterationPrice, getIterationUsage } from "@turnpike/contract/pricing/iterations";
import type { FlatPrice } from "@turnpike/contract/pricing/model-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import { type SelectedPrice, selectPrice } from "@turnpike/contract/pricing/price-variants";
import { type TokenUsage, withPieces } from "@turnpike/contract/pricing/quota";
import { STANDARD_TIERS } from "@turnpike/contract/pricing/rules/price-rule";
import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import { AUDIO_INPUT } from "@turnpike/contract/pricing/tool-prices";

type Facts = Record<string, unknown>;

function cacheFacts({ cacheWriteTokens, cacheWriteLongTokens: long }: TokenUsage, price: FlatPrice): Facts {
  if (long === undefined) return {};
  return {
    cache_creation_tokens_5m: cacheWriteTokens - long,
    cache_creation_ratio_5m: price.cacheWriteRatio,
    cache_creation_tokens_1h: long,
    cache_creation_ratio_1h: price.cacheWriteLongRatio,
  };
}

function mediaFacts(usage: TokenUsage, price: FlatPrice): Facts {
  const { audioPromptTokens: audioIn = 0, audioCompletionTokens: audioOut = 0, imagePromptTokens: image = 0 } = usage;
  const audio = {
    audio: true,
    audio_input: audioIn,
    audio_output: audioOut,
    text_input: usage.promptTokens - audioIn,
    text_output: usage.completionTokens - audioOut,
    audio_ratio: price.audioRatio,
    audio_completion_ratio: price.audioCompletionRatio,
  };
  return {
    ...(audioIn + audioOut > 0 ? audio : {}),
    ...(image > 0 ? { image: true, image_input: image, image_ratio: price.imageRatio } : {}),
  };
}

/** Names of some tools in the log format that existing log readers expect. */
const FAMILY_NAMES = ["web_search", "file_search"];

function dollarFacts({ dollars }: ChargeLines): Facts {
  if (dollars.length === 0) return {};
  const facts: Facts = {};
  for (const { name, count, dollars: price } of dollars) {
    if (FAMILY_NAMES.includes(name)) {
      Object.assign(facts, { [name]: true, [`${name}_call_count`]: count, [`${name}_price`]: price });
    }
    if (name === AUDIO_INPUT) Object.assign(facts, { audio_input_token_count: count, audio_input_price: price });
  }
  const surcharges = dollars.map(({ name, count, dollars: price, per }) => ({ name, count, price, per }));
  return { ...facts, surcharges };
}

/** What chose the price: the tier that the response names, the price band and the region. */
function selectionFacts({ tier, above, region, regionRatio, isAssumed }: SelectedPrice, usage: TokenUsage): Facts {
  const named = usage.tier === undefined || STANDARD_TIERS.has(usage.tier) ? undefined : usage.tier;
  return {
    ...(named === undefined ? {} : { service_tier: named }),
    ...(tier === undefined ? {} : { price_tier: tier }),
    ...(isAssumed === true ? { price_tier_assumed: true } : {}),
    ...(above === undefined ? {} : { price_band: above }),
    ...(regionRatio === 1 ? {} : { region, region_ratio: regionRatio }),
  };
}

const PRICES_MAX = 1_000;
const pricesByWeight = new Map<number, number>();

/** Dollars per million of a weight, cached: rounding costs as much as the remaining line, and there are few prices. */
function toPrice(weight: number): number {
  const known = pricesByWeight.get(weight);
  if (known !== undefined) return known;
  const price = tidy(weight * DOLLARS_PER_MILLION);
  if (pricesByWeight.size >= PRICES_MAX) pricesByWeight.clear();
  pricesByWeight.set(weight, price);
  return price;
}

/** Each kind of token at its price in dollars per million. `base` is the price of a token of weight 1, 1 where weights are prices. */
const toPricedLines = ({ tokens }: ChargeLines, base = 1) =>
  tokens.map(({ kind, tokens: count, weight }) => ({ kind, tokens: count, price: toPrice(weight * base) }));

/** The lines of prices that are not ratios. */
const lineFacts = (lines: ChargeLines, { hasRates }: FlatPrice): Facts =>
  hasRates ? { lines: toPricedLines(lines) } : {};

/** The iterations that were charged by themselves, each with its model, tokens and prices. */
export function getIterationFields(price: ModelPrice, usage: TokenUsage, find?: FindModelPrice): Facts {
  if (usage.iterations === undefined) return {};
  const iterations = usage.iterations.map((iteration) => {
    const { kind, model, usage: tokens } = iteration;
    const own = getIterationPrice(price, iteration, find);
    const used = getIterationUsage(usage, iteration);
    const flat = withPieces(own, selectPrice(own, used).price);
    return {
      type: kind,
      ...(model === undefined ? {} : { model }),
      price_model: own.name,
      prompt_tokens: tokens.promptTokens,
      completion_tokens: tokens.completionTokens,
      cache_tokens: tokens.cacheReadTokens,
      cache_creation_tokens: tokens.cacheWriteTokens,
      ...(tokens.cacheWriteLongTokens === undefined ? {} : { cache_creation_tokens_1h: tokens.cacheWriteLongTokens }),
      ...(own.mode === "call" ? { model_price: own.modelPrice } : {}),
      lines: toPricedLines(chargeLines(flat, used), flat.base),
    };
  });
  return { iterations };
}

/**
 * The fields a log row needs in addition to the plain ratios to recalculate its quota: token kinds with their ratios or prices, what chose the
 * price, and in `surcharges` what is priced in dollars (`count` at `price` for every `per`).
 */
export function getChargeFields(price: ModelPrice, selected: SelectedPrice, usage: TokenUsage): Facts {
  const flat = withPieces(price, selected.price);
  const isSpecial = hasSpecialParts(usage, flat);
  const selection = selectionFacts(selected, usage);
  if (!isSpecial && !flat.hasRates) return selection;
  const lines = chargeLines(flat, usage);
  const special = isSpecial ? { ...cacheFacts(usage, flat), ...mediaFacts(usage, flat), ...dollarFacts(lines) } : {};
  return { ...special, ...selection, ...lineFacts(lines, flat) };
}
