import type { PriceChange } from "@turnpike/contract/api/price-history";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../../lib/api-schemas.ts";
import { api } from "../../../lib/api-client.ts";
import { isNullable, isNumber, isObjectOf, isText } from "../../../lib/check.ts";

const isChangePage = isPageOf(
  isObjectOf<PriceChange>({
    id: isNumber,
    created_at: isNumber,
    actor_id: isNumber,
    actor_name: isText,
    key: isText,
    name: isText,
    before: isNullable(isText),
    after: isNullable(isText),
  }),
);

type List = { readonly name: string; readonly key: string; readonly page: number; readonly pageSize: number };

/** One page of what admins changed of the prices, newest first. */
export const priceHistoryQuery = ({ name, key, page, pageSize }: List) =>
  queryOptions({
    queryKey: ["price-history", name, key, page, pageSize],
    queryFn: ({ signal }) =>
      api.get("/api/option/price_history", {
        query: { name, key, p: page, page_size: pageSize },
        fits: isChangePage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
