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
};

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
