import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { IMAGE_DOLLARS } from "@turnpike/contract/pricing/image-price";
import { text } from "../../lib/i18n-source.ts";

/** One line of the bill of a call: tokens × ratio × model ratio × group ratio (× what a cached answer costs), in quota units before rounding. */
export type BillLine = {
  readonly label: string;
  readonly tokens: number;
  /** What these tokens count for, a prompt token being 1. */
  readonly ratio: number;
  readonly quota: number;
};

/** What is paid in dollars beside the tokens: `count` at `dollars` for every `per`. */
export type Surcharge = {
  readonly name: string;
  readonly count: number;
  readonly dollars: number;
  readonly per: number;
  readonly quota: number;
};

/** How the charge of a call came about. */
export type Bill = {
  readonly groupRatio: number;
  /** What of the price a cached answer costs; 1 for all others. */
  readonly cachedRatio: number;
  readonly surcharges: readonly Surcharge[];
} & (
  | { readonly mode: "tokens"; readonly lines: readonly BillLine[]; readonly modelRatio: number }
  /** `pieces` is what images and the like come to in plain ones, 1 for a call, 0 for an empty answer. */
  | { readonly mode: "call"; readonly dollars: number; readonly pieces: number }
);

type Part = { readonly label: string; readonly tokens: number; readonly ratio: number };

const cacheWrites = (details: LogDetails): readonly Part[] =>
  details.cache_creation_tokens_1h === undefined
    ? [
        {
          label: text("缓存写入"),
          tokens: details.cache_creation_tokens ?? 0,
          ratio: details.cache_creation_ratio ?? 1,
        },
      ]
    : [
        {
          label: text("缓存写入（5 分钟）"),
          tokens: details.cache_creation_tokens_5m ?? 0,
          ratio: details.cache_creation_ratio_5m ?? 1,
        },
        {
          label: text("缓存写入（1 小时）"),
          tokens: details.cache_creation_tokens_1h,
          ratio: details.cache_creation_ratio_1h ?? 1,
        },
      ];

/** Sound of the prompt that is paid in dollars has a surcharge instead of a ratio. */
const isSoundInDollars = ({ surcharges = [] }: LogDetails): boolean =>
  surcharges.some(({ name }) => name === "audio_input");

function partsOf(entry: LogEntry, details: LogDetails): readonly Part[] {
  const cached = { label: text("缓存读取"), tokens: details.cache_tokens ?? 0, ratio: details.cache_ratio ?? 1 };
  const writes = cacheWrites(details);
  const audioIn = details.audio_input ?? 0;
  const audioOut = details.audio_output ?? 0;
  const image = details.image_input ?? 0;
  const ofCache = [cached, ...writes].reduce((sum, { tokens }) => sum + tokens, 0);
  // Anthropic's rows count the prompt without what came from the cache or went there.
  const prompt = Math.max(0, entry.prompt_tokens - (details.claude === true ? 0 : ofCache) - audioIn - image);
  const audioRatio = details.audio_ratio ?? 1;
  return [
    { label: text("输入"), tokens: prompt, ratio: 1 },
    cached,
    ...writes,
    { label: text("音频输入"), tokens: isSoundInDollars(details) ? 0 : audioIn, ratio: audioRatio },
    { label: text("图片输入"), tokens: image, ratio: details.image_ratio ?? 1 },
    {
      label: text("音频输出"),
      tokens: audioOut,
      ratio: audioRatio * (details.audio_completion_ratio ?? 1),
    },
    {
      label: text("输出"),
      tokens: Math.max(0, entry.completion_tokens - audioOut),
      ratio: details.completion_ratio ?? 1,
    },
  ];
}

/** An empty answer costs nothing, whatever its price. */
const isFreeOfCharge = ({ prompt_tokens: input, completion_tokens: output, quota }: LogEntry): boolean =>
  input + output + quota === 0;

/** The bill of a consumption row; undefined when the row does not carry the figures. */
export function toBill(entry: LogEntry, details: LogDetails, quotaPerUnit: number): Bill | undefined {
  const groupRatio = details.group_ratio ?? 1;
  const cachedRatio = details.response_cache_ratio ?? 1;
  const share = groupRatio * cachedRatio;
  const perUnit = details.quota_per_unit ?? quotaPerUnit;
  const surcharges = (details.surcharges ?? []).map(({ name, count, price, per }) => {
    return { name, count, dollars: price, per, quota: ((count * price) / per) * perUnit * share };
  });
  const pieces = details.price_units;
  if (details.model_price !== undefined && details.model_price >= 0) {
    const paid = isFreeOfCharge(entry) ? 0 : (pieces ?? 1);
    return { mode: "call", dollars: details.model_price, pieces: paid, groupRatio, cachedRatio, surcharges };
  }
  if (details.model_ratio === undefined) return undefined;
  const modelRatio = details.model_ratio;
  if (pieces !== undefined && entry.completion_tokens === 0)
    return { mode: "call", dollars: modelRatio * IMAGE_DOLLARS, pieces, groupRatio, cachedRatio, surcharges };
  const parts = partsOf(entry, details);
  const lines = parts
    .filter(({ tokens }, index) => tokens > 0 || index === 0 || index === parts.length - 1)
    .map((part) => ({ ...part, quota: part.tokens * part.ratio * modelRatio * share }));
  return { mode: "tokens", lines, modelRatio, groupRatio, cachedRatio, surcharges };
}
