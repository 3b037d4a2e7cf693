import type { CatalogueModel } from "../../services/contract/src/pricing/rules/model-facts.ts";

/** The providers whose models a new channel of a type offers, by the type's number. */
const PROVIDERS_BY_TYPE: Readonly<Record<number, readonly string[]>> = {
  1: ["openai", "text-completion-openai"],
  14: ["anthropic"],
  17: ["dashscope"],
  24: ["gemini"],
  25: ["moonshot"],
  26: ["zai"],
  27: ["perplexity"],
  34: ["cohere", "cohere_chat"],
  35: ["minimax"],
  42: ["mistral"],
  43: ["deepseek"],
  48: ["xai"],
};

/**
 * Fine-tuned models have their own names; research models and previews of one organization are not available to every
 * account.
 */
const IS_SPECIAL = /^ft:|^(babbage|davinci)|daybreak|rosalind|cyber|-exp-|experimental|learnlm|gemma/;
const CALLABLE = /^[@\w.:/-]+$/;

/** The models of each channel type that are available on a day, by name. */
export function toModelLists(
  models: Readonly<Record<string, CatalogueModel>>,
  day: string,
): Readonly<Record<string, readonly string[]>> {
  const isCurrent = ({ deprecated_on: end }: CatalogueModel): boolean => end === undefined || end > day;
  const isOffered = (name: string, model: CatalogueModel): boolean =>
    isCurrent(model) && CALLABLE.test(name) && !IS_SPECIAL.test(name);
  const lists = Object.entries(PROVIDERS_BY_TYPE).map(([type, providers]) => {
    const names = Object.entries(models).filter(
      ([name, model]) => providers.includes(model.provider) && isOffered(name, model),
    );
    return [type, names.map(([name]) => name)];
  });
  return Object.fromEntries(lists);
}
