import { catalogueNames } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { CatalogueModel } from "@turnpike/contract/pricing/rules/model-facts";
import { getBuiltInCatalogue } from "@turnpike/shared/catalogue/built-in-catalogue";

/** What the shipped catalogue knows of a model, by the first of its names that it lists. */
export function findCatalogueEntry(names: readonly string[]): CatalogueModel | undefined {
  const { models } = getBuiltInCatalogue();
  const name = names.flatMap(catalogueNames).find((one) => Object.hasOwn(models, one));
  return name === undefined ? undefined : models[name];
}
