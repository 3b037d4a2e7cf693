import type { ProviderSettings } from "../contract/provider.ts";

/** Models a new Gemini channel is offered. */
export const GEMINI_MODELS: readonly string[] = [
  "gemini-3.7-flash",
  "gemini-3.6-flash",
  "gemini-3.5-flash",
  "gemini-3.5-flash-lite",
  "gemini-3.1-pro-preview",
  "gemini-3.1-flash-lite-preview",
  "gemini-3.1-flash-image-preview",
  "gemini-3-pro-preview",
  "gemini-3-flash-preview",
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-2.5-flash-lite",
  "gemini-2.5-flash-image",
  "gemini-2.0-flash",
  "gemini-2.0-flash-lite",
  "gemini-pro-latest",
  "gemini-flash-latest",
  "gemini-flash-lite-latest",
  "gemma-3-27b-it",
  "gemini-embedding-001",
  "text-embedding-004",
];

/** What a Gemini model takes, read off its name. */
export type GeminiTraits = {
  /** `budget`: thinkingBudget between the bounds; `level`: thinkingLevel; undefined: does not think. */
  readonly thinking:
    | { readonly kind: "budget"; readonly min: number; readonly max: number }
    | { readonly kind: "level" }
    | undefined;
  /** Knows the level "medium"; the first pro of the third generation does not. */
  readonly mediumLevel: boolean;
  /** Wants a thought signature with the first function call of each turn, and takes JSON answers beside tools. */
  readonly isThirdGeneration: boolean;
};

const GENERATION = /gemini-(\d+(?:\.\d+)?)/;

function thinkingOf(model: string, generation: number): GeminiTraits["thinking"] {
  if (!model.includes("gemini") || /-(image|tts|embedding|audio|live)|computer-use/.test(model)) return undefined;
  if (generation >= 3) return { kind: "level" };
  if (generation < 2.5) return undefined;
  if (model.includes("flash-lite")) return { kind: "budget", min: 512, max: 24_576 };
  return model.includes("pro") ? { kind: "budget", min: 128, max: 32_768 } : { kind: "budget", min: 0, max: 24_576 };
}

/** The traits of a model. Names without a generation (`gemini-flash-latest`) are of the newest. */
export function geminiTraits(model: string): GeminiTraits {
  const generation = Number(GENERATION.exec(model)?.[1] ?? (/^gemini-(?!pro(-vision)?$)/.test(model) ? 3 : 1));
  return {
    thinking: thinkingOf(model, generation),
    mediumLevel: !/gemini-3-pro/.test(model),
    isThirdGeneration: generation >= 3,
  };
}

/** Answers with images too, when told that it may: its name says so, or the site's option does. */
export const drawsImages = (model: string, settings: Pick<ProviderSettings, "geminiImageModels">): boolean =>
  (model.includes("gemini") && /-image(-|$)/.test(model)) || settings.geminiImageModels.includes(model);
