import { PER_TOOL_PRICE } from "./charge-lines.ts";
import type { FlatPrice } from "./model-price.ts";
import { QUOTA_PER_UNIT_DEFAULT } from "./dollars.ts";
import type { ModelPrice } from "./price-tables.ts";
import { selectPrice, type TierPrices } from "./price-variants.ts";
import { AUDIO_INPUT, findToolPrice } from "./tool-prices.ts";
import { NO_USAGE } from "./usage.ts";
import type { TokenKind } from "./rules/price-rule.ts";

/** What a call may cost at most, as far as its request shows. */
export type ExpectedUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Whether the prompt may hold audio, and whether the response may. */
  readonly hasAudioInput?: boolean;
  readonly hasAudioOutput?: boolean;
  /** Whether the request includes cache writes, and for those with a lifetime of an hour. */
  readonly hasCacheWrites?: boolean;
  readonly hasLongCacheWrites?: boolean;
  /** Calls of the provider's own tools, by the names of tool-prices.ts. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  readonly pages?: number;
};

/** A minute of a recording counts as a thousand tokens. */
const TOKEN_SECONDS = 0.06;
const MILLION = 1_000_000;
/** An estimate of the prompt may be too low by this factor without missing a price band. */
const PROMPT_MARGIN = 1.25;
/** Noise of floating point, which must not cost a unit. */
const NOISE = 1e-6;

const roundUp = (quota: number): number => Math.ceil(quota - NOISE);

const highest = ({ weights, base }: FlatPrice, kinds: readonly TokenKind[]): number =>
  Math.max(...kinds.map((kind) => weights[kind])) * base;

const PROMPT_KINDS: readonly TokenKind[] = ["input", "cache_read", "image_input", "video_input"];
const COMPLETION_KINDS: readonly TokenKind[] = ["output", "reasoning", "image_output", "video_output"];

function highestQuota(price: FlatPrice, usage: ExpectedUsage): number {
  const prompt = [
    ...PROMPT_KINDS,
    ...(usage.hasAudioInput === true ? (["audio_input"] as const) : []),
    ...(usage.hasCacheWrites === true ? (["cache_write"] as const) : []),
    ...(usage.hasLongCacheWrites === true ? (["cache_write_1h"] as const) : []),
  ];
  const completion = [...COMPLETION_KINDS, ...(usage.hasAudioOutput === true ? (["audio_output"] as const) : [])];
  return usage.promptTokens * highest(price, prompt) + usage.completionTokens * highest(price, completion);
}

/** The prices of a tier that a prompt of about this length may get. */
const reachable = ({ price, bands }: TierPrices, promptTokens: number): readonly FlatPrice[] => [
  price,
  ...bands.filter(({ above }) => promptTokens * PROMPT_MARGIN > above).map((band) => band.price),
];

/** The tokens of a call at the most expensive price that may apply, in units of the default rate. */
function highestTokens(price: ModelPrice, usage: ExpectedUsage): number {
  const expected = { ...usage, hasCacheWrites: usage.hasCacheWrites === true || price.writesCache === true };
  const { shape } = price;
  if (!shape) return highestQuota(price, expected);
  const tiers = [shape.standard, ...shape.tiers.values()].flatMap((tier) => reachable(tier, usage.promptTokens));
  return Math.max(...tiers.map((tier) => highestQuota(tier, expected)));
}

/** Dollars for calls of tools. */
export const getToolDollars = (
  { toolPrices }: Pick<ModelPrice, "toolPrices">,
  toolCalls: ExpectedUsage["toolCalls"] = {},
): number =>
  Object.entries(toolCalls).reduce(
    (sum, [tool, count]) => sum + (count * findToolPrice(toolPrices, tool)) / PER_TOOL_PRICE,
    0,
  );

/** What is priced in dollars in addition to the tokens: the call, tools, seconds of a recording, pages, audio with a price of its own. */
function highestDollars(price: ModelPrice, usage: ExpectedUsage): number {
  const { perSecond = 0, perPage = 0 } = price.pieces ?? {};
  const audio = usage.hasAudioInput === true ? findToolPrice(price.toolPrices, AUDIO_INPUT) : 0;
  return (
    (price.mode === "call" ? price.modelPrice : 0) +
    getToolDollars(price, usage.toolCalls) +
    perSecond * usage.promptTokens * TOKEN_SECONDS +
    perPage * (usage.pages ?? 0) +
    (audio * usage.promptTokens) / MILLION
  );
}

/**
 * The cost of a call of this size if it is served as requested, in input, output and calls of tools alone: what an account must cover
 * at least. Plain floating point, below the exact figure by at most one.
 */
export function computeLikelyQuota(
  price: ModelPrice,
  groupRatio: number,
  quotaPerUnit: number,
  usage: Pick<ExpectedUsage, "promptTokens" | "completionTokens" | "toolCalls"> & {
    readonly tier?: string | undefined;
  },
): number {
  const { promptTokens, completionTokens, tier, toolCalls } = usage;
  if (price.mode === "call" || price.pieces?.perSecond !== undefined)
    return computeHoldQuota(price, groupRatio, quotaPerUnit, usage);
  const tierPart = tier === undefined ? {} : { tier };
  const { base, weights } = selectPrice(price, { ...NO_USAGE, promptTokens, completionTokens, ...tierPart }).price;
  const tokens = (promptTokens * weights.input + completionTokens * weights.output) * base;
  const dollars = tokens / QUOTA_PER_UNIT_DEFAULT + getToolDollars(price, toolCalls);
  return roundUp(dollars * quotaPerUnit * groupRatio);
}

/**
 * The most that a call of this size may cost, for its hold: whichever tier and region serve it, whichever kinds its tokens are, and
 * with all tools that it may call. Plain floating point, below the exact figure by at most one; corrected at settlement.
 */
export function computeHoldQuota(
  price: ModelPrice,
  groupRatio: number,
  quotaPerUnit: number,
  usage: ExpectedUsage,
): number {
  const tokens = price.mode === "call" ? 0 : highestTokens(price, usage);
  const region = Math.max(1, ...Object.values(price.shape?.regions ?? {}));
  const dollars = tokens / QUOTA_PER_UNIT_DEFAULT + highestDollars(price, usage);
  return roundUp(dollars * region * quotaPerUnit * groupRatio);
}
