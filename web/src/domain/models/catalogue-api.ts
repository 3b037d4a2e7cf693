import { queryOptions } from "@tanstack/react-query";
import {
  CatalogueBody,
  CatalogueComparison,
  type CatalogueDifference,
  CatalogueProposal,
} from "@turnpike/contract/api/models/catalogue";
import { FoundPrice } from "@turnpike/contract/api/prices/model-prices";
import { PriceBook, PriceChangesResult } from "@turnpike/contract/api/prices/price-revisions";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { z } from "zod/mini";
import { api } from "../../lib/api/api-client.ts";

/** Compares a catalogue with the built-in prices in force. Throws ApiError with the place of what cannot be read. */
export const compareCatalogue = (body: CatalogueBody) =>
  api.post("/api/option/catalogue", { body, schema: CatalogueComparison });

/** The last daily comparison; refetched with the prices. */
export const proposalQuery = queryOptions({
  queryKey: ["options", "catalogue"],
  queryFn: ({ signal }) => api.get("/api/option/catalogue", { schema: CatalogueProposal, signal }),
});

/** The changes that adopt prices of a comparison; null removes the price of a model that the catalogue lacks. */
export function toAdoption(
  comparison: CatalogueComparison,
  chosen: readonly CatalogueDifference[],
): readonly PriceChange[] {
  const set = Object.fromEntries(chosen.map(({ model, after }) => [model, after]));
  return [
    { key: "CatalogueRules", set, remove: [] },
    { key: "CatalogueDate", value: comparison.date },
  ];
}

/** Adopts prices of a comparison in one change; `confirmed` also those that change beyond the limit. */
export function adoptPrices(
  comparison: CatalogueComparison,
  chosen: readonly CatalogueDifference[],
  confirmed: boolean,
) {
  const body = { changes: toAdoption(comparison, chosen), revision: comparison.revision, confirmed };
  return api.put("/api/option/prices", { body, schema: PriceChangesResult });
}

/** The prices in force of models, also of ones that no channel has. */
export const modelPricesQuery = (models: readonly string[]) =>
  queryOptions({
    queryKey: ["options", "model-prices", models],
    queryFn: ({ signal }) =>
      api.post("/api/option/model_prices", { body: { models: [...models] }, schema: z.array(FoundPrice), signal }),
    enabled: models.length > 0,
  });

/** Compares the catalogue that the daily comparison uses, LiteLLM's public one unless an administrator chose another. */
export async function compareDailyCatalogue(): Promise<CatalogueComparison> {
  const { options } = await api.get("/api/option/prices", { schema: PriceBook });
  const read = (key: string): string => options.find((option) => option.key === key)?.value ?? "";
  const source = CatalogueBody.shape.source.safeParse(read("CatalogueSource")).data ?? "litellm";
  return compareCatalogue({ source, url: read("CatalogueUrl") });
}
