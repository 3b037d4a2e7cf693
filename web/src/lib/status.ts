import type { SiteStatus } from "@turnpike/contract/api/status";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/price-unit";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { isSiteStatus } from "./api-schemas.ts";
import { api } from "./api-client.ts";
import type { MoneyDisplay } from "./format.ts";

/** What the site tells everybody. It decides menus, money and the setup redirect, so it is asked for before the first page. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => api.get("/api/status", { fits: isSiteStatus, signal, timeoutMs: 10_000 }),
  staleTime: 60_000,
});

/** The site's status; undefined only while the page that needs it is not shown yet. */
export const useSiteStatus = (): SiteStatus | undefined => useQuery(statusQuery).data;

const DEFAULT_MONEY: MoneyDisplay = { quotaPerUnit: QUOTA_PER_UNIT_DEFAULT, inCurrency: true };

const moneyDisplayOf = (status: SiteStatus): MoneyDisplay => ({
  quotaPerUnit: status.quota_per_unit,
  inCurrency: status.display_in_currency,
});

/** How the site shows money. */
export function useMoneyDisplay(): MoneyDisplay {
  return useQuery({ ...statusQuery, select: moneyDisplayOf }).data ?? DEFAULT_MONEY;
}

/** The address that API clients use: the site's own when it names one, else the one this page came from. */
export function useApiAddress(): string {
  const status = useSiteStatus();
  return (status?.server_address || window.location.origin).replace(/\/+$/, "");
}
