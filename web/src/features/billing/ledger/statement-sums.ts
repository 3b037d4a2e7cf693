import type { Statement } from "@turnpike/contract/api/ledger";

type Use = Statement["uses"][number];
export type ModelUsage = Omit<Use, "day">;

/** The month's usage by model, most expensive first. */
export function sumUsageByModel(uses: readonly Use[]): ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const { day: _day, ...use } of uses) {
    const sum = sums.get(use.model_name);
    sums.set(use.model_name, {
      model_name: use.model_name,
      request_count: (sum?.request_count ?? 0) + use.request_count,
      prompt_tokens: (sum?.prompt_tokens ?? 0) + use.prompt_tokens,
      completion_tokens: (sum?.completion_tokens ?? 0) + use.completion_tokens,
      quota: (sum?.quota ?? 0) + use.quota,
    });
  }
  return [...sums.values()].sort((a, b) => b.quota - a.quota);
}
