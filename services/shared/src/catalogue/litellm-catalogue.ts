import { fromLiteLlm } from "@turnpike/contract/pricing/rules/litellm-rules";
import { toModelFacts, type CatalogueModel } from "@turnpike/contract/pricing/rules/model-facts";
import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";

type Entry = Readonly<Record<string, unknown>>;
export type LiteLlmList = Readonly<Record<string, Entry>>;

/**
 * Providers whose names callers use, with LiteLLM's prefix of them. Of two that offer a model under one name the earlier one counts,
 * unless only the later one has a price: makers come before those who host models of others.
 */
const PROVIDERS: readonly (readonly [provider: string, prefix: string])[] = [
  ["openai", ""],
  ["openai", "openai/"],
  ["text-completion-openai", ""],
  ["anthropic", ""],
  ["gemini", "gemini/"],
  ["gemini", ""],
  ["vertex_ai-language-models", ""],
  ["xai", "xai/"],
  ["deepseek", ""],
  ["deepseek", "deepseek/"],
  ["mistral", "mistral/"],
  ["cohere_chat", ""],
  ["cohere", ""],
  ["cohere", "cohere/"],
  ["dashscope", "dashscope/"],
  ["moonshot", "moonshot/"],
  ["zai", "zai/"],
  ["minimax", "minimax/"],
  ["perplexity", "perplexity/"],
  ["volcengine", ""],
  ["volcengine", "volcengine/"],
  ["ai21", ""],
  ["voyage", "voyage/"],
  ["jina_ai", ""],
  ["cloudflare", "cloudflare/"],
  ["groq", "groq/"],
];

/** What the relay can serve and meter. */
const MODES: ReadonlySet<unknown> = new Set([
  "chat",
  "completion",
  "responses",
  "embedding",
  "image_generation",
  "audio_transcription",
  "audio_speech",
  "realtime",
  "rerank",
  "moderation",
]);

/** Names with a further slash belong to a host's copy of another vendor's model, except at hosts that name their own so. */
const NESTED: ReadonlySet<string> = new Set(["cloudflare", "groq"]);
/** An image of one kind: `low/1024-x-1024/gpt-image-1`. */
const IMAGE_KIND = /^(?:(?<quality>[a-z]+)\/)?(?<width>\d+)-x-(?<height>\d+)\/(?<model>[^/]+)$/;

type Named = { readonly name: string; readonly provider: string; readonly entry: Entry };

/** Where a price of 0 means that the provider charges nothing; elsewhere it means that the list does not know. */
const mayBeFree = ({ name, provider, entry: { mode } }: Named): boolean =>
  mode === "moderation" || provider === "zai" || (provider === "gemini" && mode === "chat") || name.startsWith("labs-");

const isFree = ({ input, output = 0, ...rule }: PriceRule): boolean =>
  input === 0 &&
  output === 0 &&
  rule.per_call === undefined &&
  rule.per_image === undefined &&
  rule.audio_input === undefined;

/** An entry without a price above 0: where another entry of the same name has one, this one does not know it. */
function isUnpriced(entry: Entry): boolean {
  const rule = fromLiteLlm(entry);
  return rule === undefined || isFree(rule);
}

const TOKEN_PRICES = ["input_cost_per_token", "output_cost_per_token"] as const;

/** The entry that counts of two of one name. Two of one provider at one price complete each other. */
function choose(earlier: Named | undefined, later: Named): Named {
  if (!earlier || (isUnpriced(earlier.entry) && !isUnpriced(later.entry))) return later;
  const isSame =
    earlier.provider === later.provider &&
    TOKEN_PRICES.every((field) => earlier.entry[field] !== undefined && earlier.entry[field] === later.entry[field]);
  return isSame ? { ...earlier, entry: { ...later.entry, ...earlier.entry } } : earlier;
}

function named(list: LiteLlmList): readonly Named[] {
  const found = new Map<string, Named>();
  for (const [provider, prefix] of PROVIDERS)
    for (const [key, entry] of Object.entries(list)) {
      if (entry["litellm_provider"] !== provider || !key.startsWith(prefix) || !MODES.has(entry["mode"])) continue;
      const name = key.slice(prefix.length);
      if (name.includes("/") && !NESTED.has(provider)) continue;
      found.set(name, choose(found.get(name), { name, provider, entry }));
    }
  return [...found.values()];
}

/** Prices of an image by "quality/size" of each model. */
function imagePrices(list: LiteLlmList): ReadonlyMap<string, Record<string, number>> {
  const prices = new Map<string, Record<string, number>>();
  for (const [key, entry] of Object.entries(list)) {
    const { quality, width, height, model } = IMAGE_KIND.exec(key)?.groups ?? {};
    const dollars = entry["input_cost_per_image"] ?? entry["output_cost_per_image"];
    if (model === undefined || typeof dollars !== "number" || entry["litellm_provider"] === "azure") continue;
    const kind = [...(quality === undefined ? [] : [quality]), `${width}x${height}`].join("/");
    prices.set(model, { ...prices.get(model), [kind]: dollars });
  }
  return prices;
}

/** A rule with prices by kind of image; its own price of an image is that of all other kinds. */
function withImageKinds(rule: PriceRule, kinds: Readonly<Record<string, number>>): PriceRule {
  const { per_image: own } = rule;
  return { ...rule, per_image: { ...kinds, ...(typeof own === "number" ? { "*": own } : own) } };
}

const DATED = /^(.+?)[-@](\d{4}-\d{2}-\d{2}|\d{8})$/;

/** A name without a date for the newest snapshot of each model that is only listed with one. */
function withUndated(models: ReadonlyMap<string, CatalogueModel>): ReadonlyMap<string, CatalogueModel> {
  const dated = [...models.keys()].flatMap((name) => {
    const [, base, date] = DATED.exec(name) ?? [];
    return base === undefined || date === undefined || models.has(base) ? [] : [{ base, date, name }];
  });
  const all = new Map(models);
  for (const { base, name } of dated.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const snapshot = models.get(name);
    if (snapshot) all.set(base, snapshot);
  }
  return all;
}

/** All models of LiteLLM's list that the relay can serve, and those of the supplement that it lacks. */
export function toModels(
  list: LiteLlmList,
  supplement: Readonly<Record<string, PriceRule>>,
): Readonly<Record<string, CatalogueModel>> {
  const images = imagePrices(list);
  const models = new Map<string, CatalogueModel>();
  for (const { name, provider, entry } of named(list)) {
    const rule = fromLiteLlm(entry);
    if (!rule || (isFree(rule) && !mayBeFree({ name, provider, entry }))) continue;
    const kinds = images.get(name);
    models.set(name, { provider, ...toModelFacts(entry), price: kinds ? withImageKinds(rule, kinds) : rule });
  }
  for (const [name, price] of Object.entries(supplement))
    if (!models.has(name)) models.set(name, { provider: "", price });
  return Object.fromEntries([...withUndated(models)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
