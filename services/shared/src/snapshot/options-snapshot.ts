import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { joinPrices, type OptionsInForce, optionsInForce } from "@turnpike/contract/options/options-in-force";
import { getShippedRules } from "../catalogue/built-in-catalogue.ts";
import { optionsChanged } from "../events/auth.ts";
import { pricesChanged } from "../events/billing.ts";
import type { Bus } from "../events/bus.ts";
import { isUnimplemented } from "../grpc/status.ts";
import { createSnapshot, type Snapshot } from "./snapshot.ts";
import type { Logger } from "../log/log.ts";

type Rows = readonly { readonly key: string; readonly value: string }[];
type Fetched = { readonly revision: number; readonly options: Rows };

type Deps = {
  /** Auth's options. */
  readonly fetch: () => Promise<Fetched>;
  /** Billing's price book, for services that charge or show prices. */
  readonly fetchPrices?: () => Promise<Fetched>;
  readonly bus: Bus;
  readonly log: Logger;
};

/** The price book; undefined while billing's version leaves the prices to auth. */
async function fetchBook(fetchPrices: () => Promise<Fetched>): Promise<Rows | undefined> {
  try {
    return (await fetchPrices()).options;
  } catch (error) {
    if (isUnimplemented(error)) return undefined;
    throw error;
  }
}

/** The rows with the catalogue of this version where a billing of an earlier one sends none, for what its tables lack. */
const withCatalogue = (rows: Rows): Rows =>
  rows.length === 0 || rows.some(({ key }) => key === CATALOGUE_ROW)
    ? rows
    : [...rows, { key: CATALOGUE_ROW, value: JSON.stringify({ rules: getShippedRules() }) }];

/**
 * The options in force as one value: auth's options with the prices of one revision of billing's price book. The
 * built-in defaults until both have responded; fetched again when either reports a change.
 */
export function createOptionsSnapshot({ fetch, fetchPrices, bus, log }: Deps): Snapshot<OptionsInForce> {
  let current = optionsInForce([]);
  const join = (): void => {
    current = optionsInForce(withCatalogue(joinPrices(options.current(), prices?.current())));
  };
  const options = createSnapshot<Rows>({
    name: "options",
    initial: [],
    fetch: async () => (await fetch()).options,
    log,
    onChange: join,
  });
  const prices =
    fetchPrices &&
    createSnapshot<Rows | undefined>({
      name: "prices",
      initial: undefined,
      fetch: () => fetchBook(fetchPrices),
      log,
      onChange: join,
    });
  const all = prices ? [options, prices] : [options];
  bus.listen(optionsChanged, options.refresh);
  if (prices) bus.listen(pricesChanged, prices.refresh);
  return {
    current: () => current,
    isLoaded: () => all.every((snapshot) => snapshot.isLoaded()),
    refresh: () => all.forEach((snapshot) => snapshot.refresh()),
    start: async () => void (await Promise.all(all.map((snapshot) => snapshot.start()))),
    stop: () => all.forEach((snapshot) => snapshot.stop()),
  };
}
