import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { IMAGE_DOLLARS } from "@turnpike/contract/pricing/image-price";
import { DOLLARS_PER_MILLION, QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { KIND_LABELS } from "../../domain/models/token-kinds.ts";
import { text } from "../../lib/text/i18n-source.ts";

/**
 * One line of a call's bill: tokens × ratio × model ratio × group ratio (× the share of a cached response, × the factor
 * of a region), in quota
 * units before rounding.
 */
export type BillLine = {
  readonly label: string;
  /** The request within the call that the tokens are of, such as `compaction`; absent for the call itself. */
  readonly origin?: string;
  readonly tokens: number;
  /** The ratio of these tokens relative to a prompt token. */
  readonly ratio: number;
  readonly quota: number;
};

/** Charges in dollars in addition to the tokens: `count` at `dollars` for every `per`. */
export type Surcharge = {
  readonly name: string;
  readonly count: number;
  readonly dollars: number;
  readonly per: number;
  readonly quota: number;
};

/** The factors of a call's charge. */
export type Bill = {
  readonly groupRatio: number;
  /** The share of the price for a cached response; 1 for all others. */
  readonly cachedRatio: number;
  /** The factor of the region; 1 for most. */
  readonly regionRatio: number;
  readonly surcharges: readonly Surcharge[];
} &
  /** `hasRates` is true where the ratios are exact prices, in units of $2 per million tokens, and the model ratio is 1. */
  (
    | {
        readonly mode: "tokens";
        readonly lines: readonly BillLine[];
        readonly modelRatio: number;
        readonly hasRates: boolean;
      }
    /** `pieces` is the number of billed units (images, seconds), 1 for a call, 0 for an empty response. */
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

/** Prompt audio with a price in dollars has a surcharge instead of a ratio. */
const isAudioInDollars = ({ surcharges = [] }: LogDetails): boolean =>
  surcharges.some(({ name }) => name === "audio_input");

function getParts(entry: LogEntry, details: LogDetails): readonly Part[] {
  const cached = { label: text("缓存读取"), tokens: details.cache_tokens ?? 0, ratio: details.cache_ratio ?? 1 };
  const writes = cacheWrites(details);
  const audioIn = details.audio_input ?? 0;
  const audioOut = details.audio_output ?? 0;
  const image = details.image_input ?? 0;
  const ofCache = [cached, ...writes].reduce((sum, { tokens }) => sum + tokens, 0);
  // Anthropic's rows count the prompt without cache reads and cache writes.
  const prompt = Math.max(0, entry.prompt_tokens - (details.claude === true ? 0 : ofCache) - audioIn - image);
  const audioRatio = details.audio_ratio ?? 1;
  return [
    { label: text("输入"), tokens: prompt, ratio: 1 },
    cached,
    ...writes,
    { label: text("音频输入"), tokens: isAudioInDollars(details) ? 0 : audioIn, ratio: audioRatio },
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

/**
 * Distributes a charge, in whole quota units, over the parts of its bill, so that the parts add up to it (largest
 * remainders). Amounts that do not round to the charge are returned unchanged.
 */
export function distribute(charge: number, amounts: readonly number[]): readonly number[] {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  if (Math.abs(sum - charge) > 1) return amounts;
  const whole = amounts.map(Math.floor);
  const left = charge - whole.reduce((total, amount) => total + amount, 0);
  const raised = new Set(
    amounts
      .map((amount, index) => ({ index, remainder: amount - Math.floor(amount) }))
      .toSorted((a, b) => b.remainder - a.remainder)
      .slice(0, Math.max(0, left))
      .map(({ index }) => index),
  );
  return whole.map((amount, index) => amount + Number(raised.has(index)));
}

type Iteration = NonNullable<LogDetails["iterations"]>[number];

/** The row without the tokens of the requests within its call that have lines of their own. */
function withoutIterations(entry: LogEntry, details: LogDetails): readonly [LogEntry, LogDetails] {
  const sum = (count: (iteration: Iteration) => number): number =>
    (details.iterations ?? []).reduce((total, iteration) => total + count(iteration), 0);
  const less = (total: number | undefined, count: (iteration: Iteration) => number): number =>
    Math.max(0, (total ?? 0) - sum(count));
  const ofCache = details.claude === true ? sum((one) => one.cache_tokens + one.cache_creation_tokens) : 0;
  return [
    {
      ...entry,
      prompt_tokens: less(entry.prompt_tokens, (one) => one.prompt_tokens) + ofCache,
      completion_tokens: less(entry.completion_tokens, (one) => one.completion_tokens),
    },
    {
      ...details,
      cache_tokens: less(details.cache_tokens, (one) => one.cache_tokens),
      cache_creation_tokens: less(details.cache_creation_tokens, (one) => one.cache_creation_tokens),
    },
  ];
}

/** The lines of requests that the provider made within the call, each kind of token at its own price. */
const getIterationLines = (
  { iterations = [] }: LogDetails,
  modelRatio: number,
  perToken: number,
): readonly BillLine[] =>
  iterations.flatMap(({ type, model, lines }) =>
    lines.map(({ kind, tokens, price }) => {
      const ratio = price / DOLLARS_PER_MILLION;
      return {
        origin: model === undefined ? type : `${type} (${model})`,
        label: KIND_LABELS[kind] ?? kind,
        tokens,
        ratio: modelRatio > 0 ? ratio / modelRatio : ratio,
        quota: tokens * ratio * perToken,
      };
    }),
  );

/** An empty response costs nothing, whatever its price. */
const isFreeOfCharge = ({ prompt_tokens: input, completion_tokens: output, quota }: LogEntry): boolean =>
  input + output + quota === 0;

/** The bill of a consumption row; undefined when the row lacks the factors. */
export function toBill(entry: LogEntry, details: LogDetails, quotaPerUnit: number): Bill | undefined {
  const groupRatio = details.group_ratio ?? 1;
  const cachedRatio = details.response_cache_ratio ?? 1;
  const regionRatio = details.region_ratio ?? 1;
  const share = groupRatio * cachedRatio * regionRatio;
  const factors = { groupRatio, cachedRatio, regionRatio };
  const perUnit = details.quota_per_unit ?? quotaPerUnit;
  const surcharges = (details.surcharges ?? []).map(({ name, count, price, per }) => {
    return { name, count, dollars: price, per, quota: ((count * price) / per) * perUnit * share };
  });
  const pieces = details.price_units;
  if (details.model_price !== undefined && details.model_price >= 0) {
    const paid = isFreeOfCharge(entry) ? 0 : (pieces ?? 1);
    return { mode: "call", dollars: details.model_price, pieces: paid, ...factors, surcharges };
  }
  if (details.model_ratio === undefined) return undefined;
  const modelRatio = details.model_ratio;
  // A ratio of 1 is two dollars per million tokens, whatever a dollar's quota is.
  const perToken = (share * perUnit) / QUOTA_PER_UNIT_DEFAULT;
  if (pieces !== undefined && entry.completion_tokens === 0)
    return { mode: "call", dollars: modelRatio * IMAGE_DOLLARS, pieces, ...factors, surcharges };
  if (details.lines) {
    const lines = details.lines.map(({ kind, tokens, price }): BillLine => {
      const ratio = price / DOLLARS_PER_MILLION;
      return { label: KIND_LABELS[kind] ?? kind, tokens, ratio, quota: tokens * ratio * perToken };
    });
    const all = [...lines, ...getIterationLines(details, 1, perToken)];
    return { mode: "tokens", lines: all, modelRatio: 1, hasRates: true, ...factors, surcharges };
  }
  const parts = getParts(...withoutIterations(entry, details));
  const lines = parts
    .filter(({ tokens }, index) => tokens > 0 || index === 0 || index === parts.length - 1)
    .map((part) => ({ ...part, quota: part.tokens * part.ratio * modelRatio * perToken }));
  const all = [...lines, ...getIterationLines(details, modelRatio, perToken)];
  return { mode: "tokens", lines: all, modelRatio, hasRates: false, ...factors, surcharges };
}
