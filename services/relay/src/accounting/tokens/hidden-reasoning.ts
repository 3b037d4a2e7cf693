import type { TokenUsage } from "@turnpike/contract/pricing/usage";

/** The smoothing factor of the averages. */
const SHARE_OF_NEW = 0.2;
/** Below this share the difference is one of estimates: the model shows its reasoning, or has none. */
const SHARE_MIN = 0.1;
const SHARE_MAX = 0.99;
const MODELS_MAX = 5_000;

type Reported = Pick<TokenUsage, "completionTokens" | "reasoningTokens">;
/** A complete response: its estimated tokens that were sent, reasoning included, and how long it took. */
type Complete = { readonly visibleTokens: number; readonly tookMs: number };

/** Running averages of a model: the share of its completion that is hidden, its hidden tokens, and how long a response takes. */
export type LearnedReasoning = { readonly share: number; readonly tokens: number; readonly tookMs: number };

export type HiddenReasoning = ReturnType<typeof createHiddenReasoning>;

const average = (known: number | undefined, value: number): number =>
  known === undefined ? value : known + (value - known) * SHARE_OF_NEW;

/**
 * What each model generates and does not send: completion tokens that upstream reports as reasoning. A client that
 * disconnects before the usage arrives would otherwise not pay for them.
 */
export function createHiddenReasoning() {
  const models = new Map<string, LearnedReasoning>();
  /** The models learned since `takeChanges`. */
  let changed = new Set<string>();
  const store = (model: string, learned: LearnedReasoning): void => {
    if (!models.has(model) && models.size >= MODELS_MAX) {
      models.clear();
      changed.clear();
    }
    models.set(model, learned);
  };
  return {
    learn(model: string, { completionTokens, reasoningTokens }: Reported, { visibleTokens, tookMs }: Complete): void {
      const known = models.get(model);
      if ((reasoningTokens === 0 && known === undefined) || completionTokens === 0) return;
      const hidden = Math.min(reasoningTokens, Math.max(0, completionTokens - visibleTokens));
      const share = average(known?.share, Math.min(SHARE_MAX, hidden / completionTokens));
      store(model, { share, tokens: average(known?.tokens, hidden), tookMs: average(known?.tookMs, tookMs) });
      changed.add(model);
    },
    /** Undefined for models that have reported no hidden reasoning. */
    get(model: string): LearnedReasoning | undefined {
      const learned = models.get(model);
      return learned && learned.share >= SHARE_MIN ? learned : undefined;
    },
    /** Takes what another relay has learned of a model that this one does not know. */
    adopt(model: string, learned: LearnedReasoning): void {
      if (!models.has(model)) store(model, learned);
    },
    /** What was learned since the last time. */
    takeChanges(): ReadonlyMap<string, LearnedReasoning> {
      const taken = [...changed].flatMap((model) => {
        const learned = models.get(model);
        return learned ? ([[model, learned]] as const) : [];
      });
      changed = new Set();
      return new Map(taken);
    },
  };
}

/** A response whose client disconnected before its usage arrived. */
export type CutReasoning = {
  readonly learned: LearnedReasoning;
  readonly elapsedMs: number;
  /** What the hold covers. */
  readonly completionTokensMax: number;
};

/**
 * The hidden tokens of a cut response. Reasoning precedes the text: once there is text, it is what the model usually hides,
 * more after a long text; before that, the part of it that fits the time. Never more than the hold covers.
 */
export function estimateHiddenTokens(
  { learned, elapsedMs, completionTokensMax }: CutReasoning,
  visibleTokens: number,
): number {
  const { share, tokens, tookMs } = learned;
  const byText = visibleTokens / (1 - share) - visibleTokens;
  const usual = visibleTokens > 0 || elapsedMs >= tookMs ? tokens : (tokens * elapsedMs) / tookMs;
  return Math.max(0, Math.round(Math.min(Math.max(byText, usual), completionTokensMax - visibleTokens)));
}
