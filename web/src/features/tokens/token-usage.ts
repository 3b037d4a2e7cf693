import type { TokenUsage } from "@turnpike/contract/api/token";

type Use = TokenUsage["uses"][number];

/** What all uses add up to. */
export const sumUsage = (uses: readonly Use[]) =>
  uses.reduce(
    (sum, use) => ({
      requests: sum.requests + use.request_count,
      promptTokens: sum.promptTokens + use.prompt_tokens,
      completionTokens: sum.completionTokens + use.completion_tokens,
    }),
    { requests: 0, promptTokens: 0, completionTokens: 0 },
  );

/** Uses with the newest day first, and of a day the most expensive model first. */
export const sortByDay = (uses: readonly Use[]): readonly Use[] =>
  uses.toSorted((a, b) => b.day.localeCompare(a.day) || b.quota - a.quota);
