import type { PriceRule, PriceRules } from "./price-rule.ts";

/** Vendors under whose names aggregators offer models: `openai/gpt-5`. */
const VENDORS: ReadonlySet<string> = new Set([
  "openai",
  "anthropic",
  "google",
  "gemini",
  "x-ai",
  "xai",
  "deepseek",
  "mistralai",
  "mistral",
  "cohere",
  "qwen",
  "moonshotai",
  "moonshot",
  "z-ai",
  "zai",
  "minimax",
  "perplexity",
  "models",
]);

/** Endings of a snapshot: a date, or the newest. */
const SNAPSHOT = /[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest|default)$/;
/** Endings by which the relay chooses how much a model reasons; the model's price is the same. */
const EFFORT = /-(thinking|nothinking|minimal|low|medium|high|xhigh|max)$/;

/** A fine-tuned model of an organization: `ft:gpt-4o-2024-08-06:org::id`. */
const FINE_TUNED = /^(ft:[^:]+):/;

/** What a cloud platform adds to a model's name: `us.anthropic.claude-opus-4-6-v1:0`. */
const PLATFORM_PREFIX = /^(?:[a-z-]+\.)?anthropic\./;
const PLATFORM_SUFFIX = /-v\d+(?::\d+)?$/;

/** A model's name at its own vendor. */
export const toVendorName = (model: string): string => model.replace(PLATFORM_PREFIX, "").replace(PLATFORM_SUFFIX, "");

const bareName = (name: string): string => {
  const slash = name.indexOf("/");
  return slash > 0 && VENDORS.has(name.slice(0, slash).toLowerCase()) ? name.slice(slash + 1) : name;
};

const withEach = (names: readonly string[], change: (name: string) => readonly string[]): readonly string[] => [
  ...new Set([...names, ...names.flatMap(change)].filter((name) => name !== "")),
];

/** The names under which a catalogue may list a model, the most specific first. */
export function catalogueNames(model: string): readonly string[] {
  const written = withEach([model], (name) => [bareName(name), FINE_TUNED.exec(name)?.[1] ?? name]);
  const lower = withEach(written, (name) => [name.toLowerCase()]);
  const undated = withEach(lower, (name) => [name.replace(SNAPSHOT, "")]);
  return withEach(undated, (name) => {
    const plain = name.replace(EFFORT, "");
    return [plain, plain.replace(SNAPSHOT, "")];
  });
}

/** The name under which a catalogue has a model: its own, else that without a vendor, a snapshot's date or a reasoning effort. */
export const findRuleName = (catalogue: PriceRules, model: string): string | undefined =>
  catalogueNames(model).find((candidate) => Object.hasOwn(catalogue, candidate));

/** A model's rule, by the name under which the catalogue has it. */
export function findRule(catalogue: PriceRules, model: string): PriceRule | undefined {
  const name = findRuleName(catalogue, model);
  return name === undefined ? undefined : catalogue[name];
}

/** Whether two names are of one model, with or without the date of a snapshot, a vendor or a platform. */
export function isSameModel(first: string, second: string): boolean {
  const names = new Set(catalogueNames(toVendorName(first)));
  return catalogueNames(toVendorName(second)).some((name) => names.has(name));
}
