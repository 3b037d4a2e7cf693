import type { TokenUsage } from "@turnpike/contract/api/token";

type Use = TokenUsage["uses"][number];

/** The sum of all rows. */
export const sumUsage = (uses: readonly Use[]) =>
  uses.reduce(
    (sum, use) => ({
      requests: sum.requests + use.request_count,
      promptTokens: sum.promptTokens + use.prompt_tokens,
      completionTokens: sum.completionTokens + use.completion_tokens,
    }),
    { requests: 0, promptTokens: 0, completionTokens: 0 },
  );

/** Rows with the newest day first, and within a day the most expensive model first. */
export const sortByDay = (uses: readonly Use[]): readonly Use[] =>
  uses.toSorted((a, b) => b.day.localeCompare(a.day) || b.quota - a.quota);
