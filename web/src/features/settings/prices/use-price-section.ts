import type { PriceBook } from "@turnpike/contract/api/prices/price-revisions";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { type PriceChange, toPriceChange } from "@turnpike/contract/options/price-differences";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import { useMemo, useState } from "react";
import { ApiError } from "../../../lib/api/api-error.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { json } from "../section/setting-codec.ts";
import type { SettingRule } from "../section/setting-panel.ts";
import { type BeforeSave, type SettingsSection, useSettingsSection } from "../section/use-settings-section.ts";
import { type OptionChange, type OptionValues, saveOptions } from "../settings-api.ts";
import { mergePrices } from "./merge-prices.ts";
import { changePrices, priceBookQuery } from "./price-book-api.ts";

const getValue = (book: PriceBook, optionKey: OptionKey): string =>
  book.options.find(({ key }) => key === optionKey)?.value ?? "";

const toChange = (base: PriceBook, { key, value }: OptionChange) => {
  if (!isPriceKey(key)) throw new Error(`${key} is not a price`);
  return toPriceChange(key, getValue(base, key), value);
};

/** Where an edit stands against prices that another administrator has changed meanwhile. */
export type PriceConflict =
  | { readonly state: "none" }
  /** The save was refused, nothing is stored. */
  | { readonly state: "refused" }
  /** The edit is on top of the other changes and waits to be saved; `names` were changed by both. */
  | { readonly state: "merged"; readonly names: readonly string[] };

const NO_CONFLICT: PriceConflict = { state: "none" };

export type PriceSection = SettingsSection & {
  /** The unsaved changes of prices. */
  readonly getPriceChanges: () => readonly PriceChange[];
  readonly conflict: PriceConflict;
  /** Reads the prices in force and puts the unsaved changes on top of them. */
  readonly merge: () => Promise<void>;
  /** The revision that the edit is based on. */
  readonly revision: number;
  /** The stored text of a price option that the edit is based on. */
  readonly getStored: (key: OptionKey) => string;
};

type PriceSectionInput = {
  readonly book: PriceBook;
  readonly rules: readonly SettingRule[];
  readonly before?: BeforeSave;
  /** The stored values of settings in the section that are no prices; they are saved after the prices. */
  readonly others?: OptionValues;
  /** True for a failure that the section shows in a place of its own, as it does a conflict. */
  readonly showsFailure?: (error: unknown) => boolean;
};

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.details.code === "prices_changed";

/** Stores the changes of prices on the revision that they were edited on. */
async function storePrices(changes: readonly OptionChange[], base: PriceBook): Promise<void> {
  const prices = changes.filter(({ key }) => isPriceKey(key)).map((change) => toChange(base, change));
  if (prices.length > 0) await changePrices(prices, base.revision);
}

/**
 * A section of prices: it sends only the prices that changed, with the revision that they were edited on. The edit keeps that
 * revision while other administrators' changes arrive, so that the server refuses to overwrite what the editor has not seen.
 */
export function usePriceSection({ book, rules, before, others, showsFailure }: PriceSectionInput): PriceSection {
  const [edited, setEdited] = useState<PriceBook>();
  const [conflict, setConflict] = useState(NO_CONFLICT);
  const base = edited ?? book;
  const values = useMemo(
    () => ({ ...others, ...Object.fromEntries(base.options.map(({ key, value }) => [key, value])) }),
    [base, others],
  );
  const start = (): void => {
    setEdited(undefined);
    setConflict(NO_CONFLICT);
  };
  const store = async (changes: readonly OptionChange[]): Promise<void> => {
    await storePrices(changes, base).catch((error: unknown) => {
      if (isConflict(error)) setConflict({ state: "refused" });
      throw error;
    });
    start();
    const rest = changes.filter(({ key }) => !isPriceKey(key));
    if (rest.length > 0) await saveOptions(rest);
  };
  const section = useSettingsSection({
    values,
    rules,
    store,
    showsFailure: (error) => isConflict(error) || showsFailure?.(error) === true,
    ...(before && { before }),
  });
  return {
    ...section,
    conflict,
    revision: base.revision,
    getStored: (key) => getValue(base, key),
    getPriceChanges: () =>
      section
        .getChanges()
        .filter(({ key }) => isPriceKey(key))
        .map((change) => toChange(base, change)),
    set: (key, value) => {
      if (section.changed.length === 0) setEdited(book);
      section.set(key, value);
    },
    discard: () => {
      start();
      section.discard();
    },
    merge: async () => {
      const current = await queryClient.fetchQuery({ ...priceBookQuery, staleTime: 0 });
      const merged = section.changed
        .filter(isPriceKey)
        .map((key) => [key, mergePrices(getValue(base, key), section.valueOf(key), getValue(current, key))] as const);
      setEdited(current);
      for (const [key, { value }] of merged) section.set(key, json.show(value));
      setConflict({
        state: "merged",
        names: merged.flatMap(([key, { conflicts }]) => conflicts.map((name) => name || key)),
      });
    },
  };
}
