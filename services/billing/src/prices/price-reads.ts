import { getPriceValue, type PriceValues } from "@turnpike/contract/options/price-changes";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { CATALOGUE_ROW, FAMILY_KEYS, PRICE_KEYS } from "@turnpike/contract/options/price-options";
import type { Logger } from "@turnpike/shared/log/log";
import { getBuiltInRules, toFamilyView } from "./built-in-prices.ts";
import type { PriceBookStore } from "./price-book-store.ts";
import { dropFormerDefaults } from "./former-defaults.ts";
import { getUsable, planChange, requireBook, requireRevision } from "./price-plan.ts";

type Rows = readonly { readonly key: string; readonly value: string }[];

/**
 * Every price option in force and their revision: `options` as services read them; `view` as administrators and the family's
 * clients do. Both have the built-in prices in the family's tables, as earlier versions expect; the row CATALOGUE_ROW informs services
 * what of them the operator set.
 */
export type PriceBookSnapshot = { readonly revision: number; readonly options: Rows; readonly view: Rows };

function toSnapshot(revision: number, values: PriceValues): PriceBookSnapshot {
  const options = PRICE_KEYS.map((key) => ({ key, value: getPriceValue(values, key) }));
  const family: Readonly<Record<string, string>> = toFamilyView(values);
  const view = options.map(({ key, value }) => ({ key, value: family[key] ?? value }));
  const own = Object.fromEntries(FAMILY_KEYS.map((key) => [key, JSON.parse(getPriceValue(values, key)) as unknown]));
  return {
    revision,
    options: [...view, { key: CATALOGUE_ROW, value: JSON.stringify({ rules: getBuiltInRules(values), own }) }],
    view,
  };
}

/** The price options in force, and the same with changes that are not made. */
export type PricePreview = { readonly revision: number; readonly current: Rows; readonly proposed: Rows };

/** Reads of the price book, which need no service. */
export function createPriceReads(store: PriceBookStore, log: Logger) {
  let cached: PriceBookSnapshot | undefined;
  return {
    /** Every price option in force; throws unavailable until the prices of this install are known. */
    async snapshot(): Promise<PriceBookSnapshot> {
      const { revision, values } = dropFormerDefaults(requireBook(await store.read())).book;
      if (cached?.revision === revision) return cached;
      cached = toSnapshot(revision, getUsable(values, log));
      return cached;
    },
    /** Applies changes without storing them; throws as `change` does. */
    async preview(changes: readonly PriceChange[], expectedRevision?: number): Promise<PricePreview> {
      const { book } = dropFormerDefaults(requireBook(await store.read()));
      requireRevision(book, expectedRevision);
      const usable = getUsable(book.values, log);
      const { values } = planChange(book, usable, changes).book;
      const { revision } = book;
      const toRows = (of: PriceValues): Rows => toSnapshot(revision, of).options;
      return { revision, current: toRows(usable), proposed: toRows(getUsable(values, log)) };
    },
  };
}
