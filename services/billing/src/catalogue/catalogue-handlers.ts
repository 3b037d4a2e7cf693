import { type OptionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import type { PriceTables } from "@turnpike/contract/pricing/price-tables";
import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import type { CatalogueDifference, CatalogueServiceServer } from "@turnpike/proto/billing/v1/catalogue_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { PriceBook } from "../prices/price-book.ts";
import { getPriceFactor } from "../prices/price-factor.ts";
import type { Collections } from "../store/collections.ts";
import type { createCatalogueWatch } from "./catalogue-watch.ts";
import { fetchCatalogue } from "./catalogue-fetch.ts";
import { CATALOGUE_SOURCES, type CatalogueSource, readCatalogue } from "@turnpike/shared/catalogue/catalogue-formats";
import { readRevenue } from "./catalogue-revenue.ts";
import type { Revenue } from "./revenue-sums.ts";
import { completeStatedPrices, findPriceDifferences, type PriceDifference } from "./stated-prices.ts";

type Deps = {
  readonly book: Pick<PriceBook, "snapshot">;
  readonly collections: Pick<Collections, "logs" | "marginDays">;
  readonly options: () => OptionsInForce;
  readonly guard: Pick<PrivateAddressGuard, "fetch">;
  readonly watch: Pick<ReturnType<typeof createCatalogueWatch>, "read">;
  readonly nowMs: () => number;
};

const NO_PROPOSAL = { checkedAtMs: 0, source: "", url: "", problem: "", added: 0, changed: 0, large: 0, applied: 0 };

function toSource(name: string): CatalogueSource {
  const source = CATALOGUE_SOURCES.find((known) => known === name);
  if (!source) throw new AppError("catalogue_unknown_source", "no such source of catalogues");
  return source;
}

const toJson = (rule: PriceRule | undefined): string => (rule === undefined ? "" : JSON.stringify(rule));

/** Whether the operator's own prices stand before the built-in one of a model. */
const isOverridden = ({ modelRatio, modelPrice, rules }: PriceTables, model: string): boolean =>
  [modelRatio, modelPrice, rules].some((table) => Object.hasOwn(table, model));

/** Differences with what they mean for calls. A price that ends always needs confirmation. */
function toDifferences(
  tables: PriceTables,
  differences: readonly PriceDifference[],
  { revenue, confirmFactor }: { readonly revenue: Revenue; readonly confirmFactor: number },
): CatalogueDifference[] {
  return differences.map(({ model, before, after }) => {
    const factor = before && after ? getPriceFactor(before, after) : 0;
    const touched = revenue.byPrice.get(model);
    return {
      model,
      beforeJson: toJson(before),
      afterJson: toJson(after),
      factor,
      needsConfirmation: factor > confirmFactor || after === undefined,
      isOverridden: isOverridden(tables, model),
      calls: touched?.calls ?? 0,
      channelIds: [...(touched?.channelIds ?? [])].toSorted((a, b) => a - b),
      quota: touched?.quota ?? 0,
      newQuota: touched?.newQuota ?? 0,
    };
  });
}

/** The rpcs over catalogues, for administrators. */
export const catalogueHandlers = (deps: Deps): Handlers<CatalogueServiceServer> => ({
  async getCatalogueProposal(_request, context) {
    requireAdmin(context);
    const { checkedAtMs, ...proposal } = (await deps.watch.read()) ?? NO_PROPOSAL;
    return { ...proposal, checkedAtSeconds: Math.floor(checkedAtMs / 1000) };
  },
  async compareCatalogue({ source: name, url, content }, context) {
    requireAdmin(context);
    const source = toSource(name);
    const text = source === "file" ? content : await fetchCatalogue(deps.guard, source, url);
    const stated = readCatalogue(source, text);
    const { revision } = await deps.book.snapshot();
    const options = deps.options();
    const before = toPriceTables(options);
    const fetched = completeStatedPrices(before.catalogue, stated);
    const revenue = await readRevenue(
      deps.collections,
      { before, after: { ...before, catalogue: fetched } },
      deps.nowMs,
    );
    const confirmFactor = options.number("CatalogueConfirmFactor");
    return {
      revision,
      date: new Date(deps.nowMs()).toISOString().slice(0, "2026-11-24".length),
      models: Object.keys(fetched).length,
      differences: toDifferences(before, findPriceDifferences(before.catalogue, fetched), { revenue, confirmFactor }),
      quota: revenue.quota,
      newQuota: revenue.newQuota,
      isPartial: revenue.isPartial,
    };
  },
});
