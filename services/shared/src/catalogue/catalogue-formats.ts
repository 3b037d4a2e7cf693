import type { PriceRules, Rates } from "@turnpike/contract/pricing/rules/price-rule";
import { findRuleProblem } from "@turnpike/contract/pricing/rules/price-rule";
import { type LiteLlmList, toModels } from "./litellm-catalogue.ts";
import { isRecord, type Json, readAmount, type StatedPrice, unreadable, withoutUndefined } from "./catalogue-json.ts";
import { readPricing, readRatioConfig } from "./family-price-lists.ts";

/** Where a catalogue may come from; "file" recognizes its format. */
export const CATALOGUE_SOURCES = ["litellm", "models_dev", "ratio_config", "pricing", "file"] as const;
export type CatalogueSource = (typeof CATALOGUE_SOURCES)[number];

/** LiteLLM's list: an object of entries by model. */
function readLiteLlm(list: Json): readonly StatedPrice[] {
  for (const [name, entry] of Object.entries(list)) {
    if (!isRecord(entry)) throw unreadable(`[${JSON.stringify(name)}]`, "必须是对象");
    for (const field of ["input_cost_per_token", "output_cost_per_token"])
      readAmount(entry, field, `[${JSON.stringify(name)}]`);
  }
  const models = toModels(list as LiteLlmList, {});
  return Object.entries(models).map(([model, { price: rule }]) => ({ model, rule, isWhole: true }));
}

/** The makers on models.dev; of two with a model of one name the earlier one counts. */
const MAKERS = "openai anthropic google xai deepseek mistral cohere alibaba moonshotai zai minimax perplexity".split(
  " ",
);

function readModelsDevCost(cost: Json, path: string): Rates {
  return withoutUndefined({
    input: readAmount(cost, "input", path),
    output: readAmount(cost, "output", path),
    cache_read: readAmount(cost, "cache_read", path),
    cache_write: readAmount(cost, "cache_write", path),
    audio_input: readAmount(cost, "input_audio", path),
    audio_output: readAmount(cost, "output_audio", path),
    reasoning: readAmount(cost, "reasoning", path),
  });
}

const LONG_CONTEXT_TOKENS = 200_000;

/** models.dev: providers with models with `cost` in dollars per million tokens. */
function readModelsDev(providers: Json): readonly StatedPrice[] {
  const found = new Map<string, StatedPrice>();
  for (const maker of MAKERS) {
    const provider = providers[maker];
    const models = isRecord(provider) && isRecord(provider["models"]) ? provider["models"] : {};
    for (const [name, model] of Object.entries(models)) {
      const cost = isRecord(model) ? model["cost"] : undefined;
      if (!isRecord(cost) || found.has(name)) continue;
      const path = `${maker}.models[${JSON.stringify(name)}].cost`;
      const rates = readModelsDevCost(cost, path);
      if (rates.input === undefined || rates.input + (rates.output ?? 0) === 0) continue;
      const long = cost["context_over_200k"];
      const bands = isRecord(long)
        ? { bands: [{ above: LONG_CONTEXT_TOKENS, ...readModelsDevCost(long, `${path}.context_over_200k`) }] }
        : {};
      // It lists no tiers and no pieces.
      found.set(name, { model: name, rule: { ...rates, ...bands }, isWhole: false });
    }
  }
  return [...found.values()];
}

const READERS: Readonly<Record<Exclude<CatalogueSource, "file">, (body: Json) => readonly StatedPrice[]>> = {
  litellm: readLiteLlm,
  models_dev: readModelsDev,
  ratio_config: readRatioConfig,
  pricing: readPricing,
};

function recognize(body: Json): keyof typeof READERS {
  if (Array.isArray(body["data"])) return "pricing";
  if (isRecord(body["model_ratio"]) || (isRecord(body["data"]) && isRecord(body["data"]["model_ratio"])))
    return "ratio_config";
  return Object.values(body).some((entry) => isRecord(entry) && isRecord(entry["models"])) ? "models_dev" : "litellm";
}

function parseBody(text: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw unreadable(/position \d+/.exec(String(error))?.[0] ?? "position 0", "不是合法的 JSON");
  }
  if (!isRecord(body)) throw unreadable("$", "必须是 JSON 对象");
  return body;
}

/** The prices of a catalogue; throws catalogue_unreadable with the place of what is wrong. */
export function readCatalogue(source: CatalogueSource, text: string): readonly StatedPrice[] {
  const body = parseBody(text);
  const prices = READERS[source === "file" ? recognize(body) : source](body);
  if (prices.length === 0) throw unreadable("$", "没有任何价格");
  for (const { model, rule } of prices) {
    const problem = findRuleProblem(rule);
    if (problem) throw unreadable(`[${JSON.stringify(model)}]${problem.path}`, problem.detail);
  }
  return prices;
}

/** The rules of a catalogue, without what it does not state; throws as `readCatalogue` does. */
export const readCatalogueText = (source: CatalogueSource, text: string): PriceRules =>
  Object.fromEntries(readCatalogue(source, text).map(({ model, rule }) => [model, rule]));

/** The ratios by group of a family's `/api/pricing`; empty where the list names none. Throws catalogue_unreadable. */
export function readGroupRatios(text: string): Readonly<Record<string, number>> {
  const ratios = parseBody(text)["group_ratio"];
  if (!isRecord(ratios)) return {};
  return Object.fromEntries(
    Object.keys(ratios).flatMap((group) => {
      const ratio = readAmount(ratios, group, "group_ratio");
      return ratio === undefined ? [] : [[group, ratio]];
    }),
  );
}
