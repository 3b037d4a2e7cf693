import { readFileSync } from "node:fs";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { catalogueNames } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { CatalogueModel } from "@turnpike/contract/pricing/rules/model-facts";

/** A catalogue of models; `version` and `date` are those of its source. */
export type Catalogue = {
  readonly source: string;
  readonly version: string;
  readonly date: string;
  readonly models: Readonly<Record<string, CatalogueModel>>;
};

let read: Catalogue | undefined;
let rules: PriceRules | undefined;

/** The catalogue that this version ships; `make catalogue` regenerates it. Read at the first call. */
export function getBuiltInCatalogue(): Catalogue {
  read ??= JSON.parse(readFileSync(new URL("./catalogue.json", import.meta.url), "utf8")) as Catalogue;
  return read;
}

/** The prices of the catalogue that this version ships. */
export function getShippedRules(): PriceRules {
  rules ??= Object.fromEntries(Object.entries(getBuiltInCatalogue().models).map(([name, { price }]) => [name, price]));
  return rules;
}

/** Maximum number of cached lookups: callers choose the names. */
const FOUND_MAX = 10_000;
const found = new Map<string, CatalogueModel | undefined>();

/** What the catalogue of this version knows about a model, by its own name or the one without a date, a vendor or a reasoning effort. */
export function findModelFacts(model: string): CatalogueModel | undefined {
  if (found.has(model)) return found.get(model);
  const { models } = getBuiltInCatalogue();
  const name = catalogueNames(model).find((candidate) => Object.hasOwn(models, candidate));
  const facts = name === undefined ? undefined : models[name];
  if (found.size >= FOUND_MAX) found.clear();
  found.set(model, facts);
  return facts;
}
