import { type ChargeLines, chargeLines, hasSpecialParts } from "@turnpike/contract/pricing/charge-lines";
import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { AUDIO_INPUT } from "@turnpike/contract/pricing/tool-prices";

type Facts = Record<string, unknown>;

function cacheFacts({ cacheWriteTokens, cacheWriteLongTokens: long }: TokenUsage, price: ModelPrice): Facts {
  if (long === undefined) return {};
  return {
    cache_creation_tokens_5m: cacheWriteTokens - long,
    cache_creation_ratio_5m: price.cacheWriteRatio,
    cache_creation_tokens_1h: long,
    cache_creation_ratio_1h: price.cacheWriteLongRatio,
  };
}

function mediaFacts(usage: TokenUsage, price: ModelPrice): Facts {
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

/**
 * The fields a log row needs besides the plain ratios to recalculate its quota: token kinds with their ratios, and in
 * `surcharges` what is priced in dollars (`count` at `price` for every `per`).
 */
export function getChargeFields(price: ModelPrice, usage: TokenUsage): Facts | undefined {
  if (!hasSpecialParts(usage)) return undefined;
  const lines = chargeLines(price, usage);
  return { ...cacheFacts(usage, price), ...mediaFacts(usage, price), ...dollarFacts(lines) };
}
