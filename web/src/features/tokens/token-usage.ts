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

/** Uses by day, the newest first, the dearest model of a day first. */
export const byDay = (uses: readonly Use[]): { readonly day: string; readonly uses: readonly Use[] }[] =>
  [...Map.groupBy(uses, ({ day }) => day)]
    .map(([day, own]) => ({ day, uses: own.toSorted((a, b) => b.quota - a.quota) }))
    .toSorted((a, b) => b.day.localeCompare(a.day));
