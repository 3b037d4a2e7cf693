import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { optionProblemInEnglish } from "@turnpike/contract/options/option-problems";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { checkModelRoutes, checkOptionValue } from "@turnpike/contract/options/option-validation";
import type { TokenInput } from "@turnpike/proto/billing/v1/token_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { TokenDoc } from "../store/account-documents.ts";

/** The options of model routes that a token may have values of its own for. */
const OPTIONS = {
  modelAliases: "ModelAliases",
  modelFallbacks: "ModelFallbacks",
  fallbackCauses: "FallbackCauses",
} as const satisfies Partial<Record<keyof TokenInput, OptionKey>>;
type Field = keyof typeof OPTIONS;

/** In JSON; a relay reads it with each change of the token. */
const LENGTH_MAX = 16_384;

export type ModelRouteTexts = Pick<TokenDoc, Field>;

const refuse = (detail: string): AppError => new AppError("invalid_input", `invalid ${detail}`, { params: { detail } });

/** Validates a token's own model routes as the options are. Throws invalid_input with the entry that is wrong. */
export function readModelRoutes(input: Pick<TokenInput, Field>): ModelRouteTexts {
  const texts: ModelRouteTexts = {};
  for (const [field, option] of Object.entries(OPTIONS) as [Field, OptionKey][]) {
    const text = input[field]?.trim();
    if (text === undefined) continue;
    const problem = text === "" ? undefined : checkOptionValue(option, text);
    const isLong = text.length > LENGTH_MAX;
    if (problem !== undefined || isLong) {
      const why = problem === undefined ? `more than ${LENGTH_MAX} characters` : optionProblemInEnglish(problem);
      throw refuse(`${option}: ${why}`);
    }
    texts[field] = text;
  }
  return texts;
}

const readTexts = ({ modelAliases = "", modelFallbacks = "" }: ModelRouteTexts) => ({
  aliases: modelAliases,
  fallbacks: modelFallbacks,
});

/**
 * Throws invalid_input where a token's aliases and fallbacks form a cycle, together or with the site's. A cycle that the site has
 * without the token is no fault of the token.
 */
export function checkRouteCycles(texts: ModelRouteTexts, options: OptionsInForce): void {
  if (!texts.modelAliases && !texts.modelFallbacks) return;
  const ofSite = { aliases: options.text("ModelAliases"), fallbacks: options.text("ModelFallbacks") };
  const own = checkModelRoutes(readTexts(texts));
  const problem = own ?? (checkModelRoutes(ofSite) ? undefined : checkModelRoutes(ofSite, readTexts(texts)));
  if (problem !== undefined) throw refuse(`ModelFallbacks: ${optionProblemInEnglish(problem)}`);
}
