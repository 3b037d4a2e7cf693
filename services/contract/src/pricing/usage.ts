/**
 * Tokens of one call, the same for every dialect and provider. `promptTokens` counts all input, including cached parts;
 * the cache figures are parts of it. `reasoningTokens` is a part of `completionTokens`. Optional fields are set only
 * when the upstream reports a value above 0.
 */
export type TokenUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** Cache writes with a lifetime of an hour. */
  readonly cacheWriteLongTokens?: number;
  /** Audio, images and video in the prompt, excluding cached parts. */
  readonly audioPromptTokens?: number;
  readonly imagePromptTokens?: number;
  readonly videoPromptTokens?: number;
  /** Audio and images among the cached tokens. */
  readonly audioCacheReadTokens?: number;
  readonly imageCacheReadTokens?: number;
  readonly audioCompletionTokens?: number;
  readonly imageCompletionTokens?: number;
  readonly videoCompletionTokens?: number;
  /** Calls of the provider's own tools, by the names of tool-prices.ts. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  /** The number of delivered images, where counted: fewer than requested cost less. */
  readonly images?: number;
  /** The length of a recording, where its model is priced by the second. */
  readonly seconds?: number;
  /** The pages that were read, where a model is priced by the page. */
  readonly pages?: number;
  /** The service tier or speed that the response names, unless it is the standard one. */
  readonly tier?: string;
  /** True where the site charges this tier, which has no price, like the standard one. */
  readonly isStandardPrice?: boolean;
  /** The region that processed the call, where the response names it. */
  readonly region?: string;
  /** What the upstream reports as the cost of the call, in dollars. Never part of what the caller pays. */
  readonly reportedDollars?: number;
  /** Requests that the provider made within the call and reports one by one, as far as they are not part of the totals at the call's price. */
  readonly iterations?: readonly IterationUsage[];
};

/**
 * A request that a provider made within a call, such as the compaction of its conversation or the advice of a second model. Source:
 * Anthropic's Messages API, `usage.iterations`.
 */
export type IterationUsage = {
  /** The provider's name of its kind, such as `compaction`. */
  readonly kind: string;
  /** The upstream name of the model that served it, where it is reported. */
  readonly model?: string;
  /** True where the totals of the call include it. */
  readonly isInTotals: boolean;
  readonly usage: TokenUsage;
};

const SUMMED = [
  "promptTokens",
  "completionTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "cacheWriteLongTokens",
] as const satisfies readonly (keyof TokenUsage)[];

/** A usage with the tokens of others added, or taken away (never below 0) if `sign` is -1. */
function withTokensOf(usage: TokenUsage, others: readonly TokenUsage[], sign: 1 | -1): TokenUsage {
  const sums = SUMMED.flatMap((name): [string, number][] => {
    const sum = others.reduce((total, other) => total + sign * (other[name] ?? 0), usage[name] ?? 0);
    return sum === 0 && usage[name] === undefined ? [] : [[name, Math.max(0, sum)]];
  });
  return { ...usage, ...Object.fromEntries(sums) };
}

/**
 * A call's usage with the iterations that are charged by themselves: those that the totals lack, and those of a model for which
 * `isOther` is true, whose tokens are taken out of the totals. An iteration that names the call's own model has the call's price, as
 * one that names none.
 */
export function separateIterations(usage: TokenUsage, isOther: (model: string) => boolean): TokenUsage {
  const { iterations: all, ...totals } = usage;
  if (all === undefined) return usage;
  const iterations = all
    .map(({ model, ...iteration }): IterationUsage =>
      model !== undefined && isOther(model) ? { ...iteration, model } : iteration,
    )
    .filter(({ isInTotals, model }) => !isInTotals || model !== undefined);
  if (iterations.length === 0) return totals;
  const included = iterations.filter(({ isInTotals }) => isInTotals).map((iteration) => iteration.usage);
  return { ...withTokensOf(totals, included, -1), iterations };
}

/** The tokens of a usage with those of the iterations that are charged by themselves. */
export const withIterations = ({ iterations, ...usage }: TokenUsage): TokenUsage =>
  iterations === undefined
    ? usage
    : withTokensOf(
        usage,
        iterations.map((iteration) => iteration.usage),
        1,
      );

/** A usage without the iterations that `withIterations` added to it. */
export const withoutIterations = (usage: TokenUsage, iterations: readonly IterationUsage[]): TokenUsage =>
  withTokensOf(
    usage,
    iterations.map((iteration) => iteration.usage),
    -1,
  );

export const NO_USAGE: TokenUsage = {
  promptTokens: 0,
  completionTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

type SpecialParts = Pick<
  TokenUsage,
  | "cacheWriteLongTokens"
  | "audioPromptTokens"
  | "imagePromptTokens"
  | "videoPromptTokens"
  | "audioCacheReadTokens"
  | "imageCacheReadTokens"
  | "audioCompletionTokens"
  | "imageCompletionTokens"
  | "videoCompletionTokens"
  | "toolCalls"
  | "seconds"
  | "tier"
  | "region"
  | "iterations"
>;

const hasContent = (value: unknown): boolean => {
  if (typeof value === "number") return value > 0;
  if (typeof value === "string") return value !== "";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
};

/** A usage with the special parts that are above 0; the same object when there are none. */
export function withParts(
  usage: TokenUsage,
  parts: { readonly [Name in keyof SpecialParts]?: SpecialParts[Name] | undefined },
): TokenUsage {
  const present = Object.entries(parts).filter(([, value]) => hasContent(value));
  return present.length === 0 ? usage : { ...usage, ...(Object.fromEntries(present) as SpecialParts) };
}
