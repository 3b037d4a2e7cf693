import { timesRatio } from "./decimal.ts";
import type { ModelPrice } from "./price-book.ts";
import { AUDIO_INPUT, toolPriceOf } from "./tool-prices.ts";
import type { TokenUsage } from "./usage.ts";

/** A number of tokens of one kind, and their weight in prompt tokens. */
export type TokenLine = { readonly tokens: number; readonly ratio: number };

/** Charges in dollars beside the tokens: `count` at `dollars` for every `per` of them. */
export type DollarLine = {
  readonly name: string;
  readonly count: number;
  readonly dollars: number;
  readonly per: 1000 | 1_000_000;
};

export type ChargeLines = { readonly tokens: readonly TokenLine[]; readonly dollars: readonly DollarLine[] };

/** True where the usage has parts that the plain text formula does not cover. */
export const hasSpecialParts = (usage: TokenUsage): boolean =>
  usage.toolCalls !== undefined ||
  usage.audioPromptTokens !== undefined ||
  usage.audioCompletionTokens !== undefined ||
  usage.imagePromptTokens !== undefined ||
  usage.cacheWriteLongTokens !== undefined;

/** Takes parts from a total, never more than the total. */
function createShare(whole: number) {
  let left = whole;
  return {
    take(part = 0): number {
      const taken = Math.min(Math.max(part, 0), left);
      left -= taken;
      return taken;
    },
    rest: (): number => left,
  };
}

/** Prompt audio with its own price in dollars. */
const isAudioInDollars = ({ toolPrices }: ModelPrice): boolean => toolPriceOf(toolPrices, AUDIO_INPUT) > 0;

function dollarLines(price: ModelPrice, usage: TokenUsage, audioTokens: number): DollarLine[] {
  const tools = Object.entries(usage.toolCalls ?? {}).map(([name, count]): DollarLine => ({
    name,
    count,
    dollars: toolPriceOf(price.toolPrices, name),
    per: 1000,
  }));
  const audio = { name: AUDIO_INPUT, count: audioTokens, dollars: toolPriceOf(price.toolPrices, AUDIO_INPUT) };
  return [...tools, { ...audio, per: 1_000_000 as const }].filter(({ count, dollars }) => count > 0 && dollars > 0);
}

/** All charges of a call, line by line. For a model with a per-call price the tokens are free. */
export function chargeLines(price: ModelPrice, usage: TokenUsage): ChargeLines {
  const prompt = createShare(usage.promptTokens);
  const cached = prompt.take(usage.cacheReadTokens);
  const written = createShare(prompt.take(usage.cacheWriteTokens));
  const long = written.take(usage.cacheWriteLongTokens);
  const audioIn = prompt.take(usage.audioPromptTokens);
  const image = prompt.take(usage.imagePromptTokens);
  const completion = createShare(usage.completionTokens);
  const audioOut = completion.take(usage.audioCompletionTokens);
  const inDollars = isAudioInDollars(price);
  const dollars = dollarLines(price, usage, inDollars ? audioIn : 0);
  if (price.mode === "call") return { tokens: [], dollars };
  const tokens = [
    { tokens: prompt.rest(), ratio: 1 },
    { tokens: cached, ratio: price.cacheRatio },
    { tokens: written.rest(), ratio: price.cacheWriteRatio },
    { tokens: long, ratio: price.cacheWriteLongRatio },
    { tokens: inDollars ? 0 : audioIn, ratio: price.audioRatio },
    { tokens: image, ratio: price.imageRatio },
    { tokens: completion.rest(), ratio: price.completionRatio },
    { tokens: audioOut, ratio: timesRatio(price.audioRatio, price.audioCompletionRatio) },
  ];
  return { tokens: tokens.filter((line) => line.tokens > 0), dollars };
}
