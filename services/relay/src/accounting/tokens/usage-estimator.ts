/** The smoothing factor of the averages. */
const SHARE_OF_NEW = 0.2;
/** The assumed completion tokens of a model without history if the caller set no limit. */
const UNSEEN_COMPLETION_TOKENS = 50;
const MODELS_MAX = 5_000;

export type UsageEstimator = ReturnType<typeof createUsageEstimator>;

/**
 * Running averages per model, so that a hold is close to the later charge: completion tokens, and prompt tokens
 * relative to the quick estimate.
 */
export function createUsageEstimator() {
  const models = new Map<string, { completionTokens: number; promptScale: number }>();
  return {
    completionTokens: (model: string): number =>
      Math.ceil(models.get(model)?.completionTokens ?? UNSEEN_COMPLETION_TOKENS),
    promptTokens: (model: string, roughEstimate: number): number =>
      Math.ceil(roughEstimate * (models.get(model)?.promptScale ?? 1)),
    learn(model: string, usage: { promptTokens: number; completionTokens: number }, roughEstimate: number): void {
      const scale = Math.min(Math.max(usage.promptTokens / Math.max(roughEstimate, 1), 0.05), 100);
      const known = models.get(model);
      if (!known) {
        if (models.size >= MODELS_MAX) models.clear();
        models.set(model, { completionTokens: usage.completionTokens, promptScale: scale });
        return;
      }
      known.completionTokens += (usage.completionTokens - known.completionTokens) * SHARE_OF_NEW;
      known.promptScale += (scale - known.promptScale) * SHARE_OF_NEW;
    },
  };
}
