import { useQuery } from "@tanstack/react-query";
import type { ModelPricing, PricingResponse } from "@turnpike/contract/api/prices/pricing";
import { useMemo } from "react";
import { pricingQuery } from "../../domain/models/pricing-api.ts";
import { getVendor } from "../../domain/models/vendors.ts";
import { useSession } from "../../lib/session/session.ts";
import { PER_CALL_BILLING } from "./pricing-columns.tsx";

/** The price list's part of the address. */
export type PricingSearch = {
  readonly keyword?: string | undefined;
  readonly group?: string | undefined;
  readonly billing?: string | undefined;
  readonly vendor?: string | undefined;
};

export type PriceGroup = { readonly name: string; readonly desc: string; readonly ratio: number };

/** Vendors that the console does not know. */
export const OTHER_VENDORS = "other";

export type VendorCount = { readonly name: string; readonly count: number };

/** The vendors of the models, largest first, unknown vendors last. */
function countVendors(rows: readonly ModelPricing[]): readonly VendorCount[] {
  const counts = new Map<string, number>();
  for (const { model_name } of rows) {
    const name = getVendor(model_name) ?? OTHER_VENDORS;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isOther = (name: string): number => Number(name === OTHER_VENDORS);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => isOther(a.name) - isOther(b.name) || b.count - a.count);
}

const toGroups = ({ group_ratio, usable_group }: PricingResponse): readonly PriceGroup[] =>
  Object.entries(group_ratio).map(([name, ratio]) => ({ name, ratio, desc: usable_group[name] ?? "" }));

const isMatch = (row: ModelPricing, { keyword = "", vendor, billing }: PricingSearch): boolean =>
  row.model_name.toLowerCase().includes(keyword.toLowerCase()) &&
  (vendor === undefined || (getVendor(row.model_name) ?? OTHER_VENDORS) === vendor) &&
  (billing === undefined || (row.quota_type === PER_CALL_BILLING) === (billing === "call"));

type Paging = { readonly page: number; readonly pageSize: number };

/** A page of the prices that match a search, as a query of the table, with the vendors and groups to choose from. */
export function usePrices(search: PricingSearch, { page, pageSize }: Paging) {
  const ownGroup = useSession((state) => state.user?.group);
  const pricing = useQuery(pricingQuery);
  const { data } = pricing;
  const groups = useMemo(() => (data ? toGroups(data) : []), [data]);
  const vendors = useMemo(() => countVendors(data?.data ?? []), [data]);
  const requestedGroup = search.group ?? ownGroup ?? "default";
  const { keyword, vendor, billing } = search;
  const query = useMemo(() => {
    const matching = (pricing.data?.data ?? []).filter((row) => isMatch(row, { keyword, vendor, billing }));
    const items = matching.slice((page - 1) * pageSize, page * pageSize);
    return {
      error: pricing.error,
      isPending: pricing.isPending,
      isFetching: pricing.isFetching,
      refetch: pricing.refetch,
      data: pricing.data && { items, total: matching.length, page, page_size: pageSize },
    };
  }, [pricing, keyword, vendor, billing, page, pageSize]);
  return { query, vendors, groups, group: groups.find(({ name }) => name === requestedGroup) ?? groups[0] };
}
