import { PriceHistoryPage } from "@turnpike/contract/api/prices/price-history";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../../lib/api/api-client.ts";

type List = { readonly name: string; readonly key: string; readonly page: number; readonly pageSize: number };

/** One page of price changes by administrators, newest first. */
export const priceHistoryQuery = ({ name, key, page, pageSize }: List) =>
  queryOptions({
    queryKey: ["price-history", name, key, page, pageSize],
    queryFn: ({ signal }) =>
      api.get("/api/option/price_history", {
        query: { name, key, p: page, page_size: pageSize },
        schema: PriceHistoryPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
