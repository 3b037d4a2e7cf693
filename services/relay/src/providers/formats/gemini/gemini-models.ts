import type { ProviderSettings } from "../../contract/target.ts";

/** What a Gemini model accepts, derived from its name. */
export type GeminiTraits = {
  /** `budget`: thinkingBudget within the limits; `level`: thinkingLevel; undefined: no reasoning. */
  readonly thinking:
    | { readonly kind: "budget"; readonly min: number; readonly max: number }
    | { readonly kind: "level" }
    | undefined;
  /** Supports the level "medium"; the first pro of the third generation does not. */
  readonly mediumLevel: boolean;
  /**
   * Requires a reasoning signature with the first function call of each turn, and supports JSON responses with tools.
   */
  readonly isThirdGeneration: boolean;
};

const GENERATION = /gemini-(\d+(?:\.\d+)?)/;

function getThinking(model: string, generation: number): GeminiTraits["thinking"] {
  if (!model.includes("gemini") || /-(image|tts|embedding|audio|live)|computer-use/.test(model)) return undefined;
  if (generation >= 3) return { kind: "level" };
  if (generation < 2.5) return undefined;
  if (model.includes("flash-lite")) return { kind: "budget", min: 512, max: 24_576 };
  return model.includes("pro") ? { kind: "budget", min: 128, max: 32_768 } : { kind: "budget", min: 0, max: 24_576 };
}

/** The traits of a model. Names without a generation (`gemini-flash-latest`) are the newest. */
export function geminiTraits(model: string): GeminiTraits {
  const generation = Number(GENERATION.exec(model)?.[1] ?? (/^gemini-(?!pro(-vision)?$)/.test(model) ? 3 : 1));
  return {
    thinking: getThinking(model, generation),
    mediumLevel: !/gemini-3-pro/.test(model),
    isThirdGeneration: generation >= 3,
  };
}

/** Can return images if enabled in the request: by its name, or by the site's option. */
export const generatesImages = (model: string, settings: Pick<ProviderSettings, "geminiImageModels">): boolean =>
  (model.includes("gemini") && /-image(-|$)/.test(model)) || settings.geminiImageModels.includes(model);
