import { SiteStatus } from "@turnpike/contract/api/status";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api/api-client.ts";
import type { MoneyDisplay } from "./text/format.ts";

/** The site's public status. It decides menus, money and the setup redirect, so it is fetched before the first page. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => api.get("/api/status", { schema: SiteStatus, signal, timeoutMs: 10_000 }),
  staleTime: 60_000,
});

/** The site's status; undefined only before the page that needs it is shown. */
export const useSiteStatus = (): SiteStatus | undefined => useQuery(statusQuery).data;

const DEFAULT_MONEY: MoneyDisplay = { quotaPerUnit: QUOTA_PER_UNIT_DEFAULT, inCurrency: true };

const getMoneyDisplay = (status: SiteStatus): MoneyDisplay => ({
  quotaPerUnit: status.quota_per_unit,
  inCurrency: status.display_in_currency,
});

/** The site's display unit of money. */
export function useMoneyDisplay(): MoneyDisplay {
  return useQuery({ ...statusQuery, select: getMoneyDisplay }).data ?? DEFAULT_MONEY;
}

/** The address for API clients: the site's own if it has one, else this page's origin. */
export function useApiAddress(): string {
  const status = useSiteStatus();
  return (status?.server_address || window.location.origin).replace(/\/+$/, "");
}
