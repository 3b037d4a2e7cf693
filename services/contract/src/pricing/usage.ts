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
  /** Audio and images in the prompt, excluding cached parts. */
  readonly audioPromptTokens?: number;
  readonly imagePromptTokens?: number;
  readonly audioCompletionTokens?: number;
  /** Calls of the provider's own tools, by the names of tool-prices.ts. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  /** The number of delivered images, where counted: fewer than requested cost less. */
  readonly images?: number;
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
  "cacheWriteLongTokens" | "audioPromptTokens" | "imagePromptTokens" | "audioCompletionTokens" | "toolCalls"
>;

const isWorthSaying = (value: unknown): boolean =>
  typeof value === "number" ? value > 0 : typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** A usage with the special parts that are above 0; the same object where there are none. */
export function withParts(
  usage: TokenUsage,
  parts: { readonly [Name in keyof SpecialParts]?: SpecialParts[Name] | undefined },
): TokenUsage {
  const said = Object.entries(parts).filter(([, value]) => isWorthSaying(value));
  return said.length === 0 ? usage : { ...usage, ...(Object.fromEntries(said) as SpecialParts) };
}
