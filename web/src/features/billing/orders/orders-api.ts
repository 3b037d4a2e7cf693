import { Order, OrderPage, OrderQueryResult, type SettleBody } from "@turnpike/contract/api/payment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api/api-client.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/text/day-bounds.ts";
import { queryClient } from "../../../lib/api/query-client.ts";

/** The search parameters of an order list. */
export type OrderSearch = {
  readonly keyword?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type OrderList = OrderSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** Reads one page of orders, of all users or of the user, newest first. */
export const readOrders = ({ all, page, pageSize, keyword, status, from, to }: OrderList, signal?: AbortSignal) =>
  api.get(all ? "/api/order/" : "/api/order/self", {
    query: {
      p: page,
      page_size: pageSize,
      keyword,
      status,
      start_timestamp: dayStartSeconds(from),
      end_timestamp: dayEndSeconds(to),
    },
    schema: OrderPage,
    ...(signal ? { signal } : {}),
  });

export const ordersQuery = (list: OrderList) =>
  queryOptions({
    queryKey: ["orders", list],
    queryFn: ({ signal }) => readOrders(list, signal),
    placeholderData: keepPreviousData,
  });

/** Refunds a paid order's credits, or marks a payment that was never credited as returned. */
export const refundOrder = (id: number, refund: { readonly quota: number; readonly reason: string }) =>
  api.post(`/api/order/${id}/refund`, { body: refund, schema: Order });

/** Credits an order by hand. */
export const settleOrder = (id: number, decision: SettleBody) =>
  api.post(`/api/order/${id}/settle`, { body: decision, schema: Order });

/** Queries the provider whether an order is paid; a paid one is credited. */
export const queryOrder = (id: number) => api.post(`/api/order/${id}/query`, { schema: OrderQueryResult });

/** Refetches orders, and the balances and ledger entries that they change. */
export const refreshOrders = (): Promise<unknown> =>
  Promise.all(["orders", "ledger", "self", "users"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
