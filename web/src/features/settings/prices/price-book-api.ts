import { PriceBook, PriceChangesResult } from "@turnpike/contract/api/prices/price-revisions";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api/api-client.ts";

/** Every price option, and the revision that all of them belong to. */
export const priceBookQuery = queryOptions({
  queryKey: ["options", "prices"],
  queryFn: ({ signal }) => api.get("/api/option/prices", { schema: PriceBook, signal }),
});

/** Stores changes of prices, all or none. Throws prices_changed when `revision` is not in force any more. */
export const changePrices = (changes: readonly PriceChange[], revision: number) =>
  api.put("/api/option/prices", { body: { changes, revision }, schema: PriceChangesResult });
