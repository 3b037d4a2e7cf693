import type { Order } from "@turnpike/contract/api/payment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../../lib/api-schemas.ts";
import { api } from "../../../lib/api-client.ts";
import { isNumber, isObjectOf, isText } from "../../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/day-bounds.ts";
import { queryClient } from "../../../lib/query-client.ts";

const isOrder = isObjectOf<Order>({
  id: isNumber,
  user_id: isNumber,
  username: isText,
  trade_no: isText,
  provider: isText,
  payment_method: isText,
  amount: isNumber,
  quota: isNumber,
  money: isText,
  currency: isText,
  status: isText,
  create_time: isNumber,
  complete_time: isNumber,
  refund_time: isNumber,
  refund_quota: isNumber,
  refund_reason: isText,
  provider_reference: isText,
});
const isOrderPage = isPageOf(isOrder);

/** The part of an address that narrows a list of orders. */
export type OrderSearch = {
  readonly keyword?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type OrderList = OrderSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of orders, everybody's or one's own, newest first. */
export const ordersQuery = ({ all, page, pageSize, keyword, status, from, to }: OrderList) =>
  queryOptions({
    queryKey: ["orders", all, page, pageSize, keyword, status, from, to],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/order/" : "/api/order/self", {
        query: {
          p: page,
          page_size: pageSize,
          keyword,
          status,
          start_timestamp: dayStartSeconds(from),
          end_timestamp: dayEndSeconds(to),
        },
        fits: isOrderPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Takes credits of a paid order back. */
export const refundOrder = (id: number, refund: { readonly quota: number; readonly reason: string }) =>
  api.post(`/api/order/${id}/refund`, { body: refund, fits: isOrder });

/** Orders, and the balances and books they change, are read anew. */
export const refreshOrders = (): Promise<unknown> =>
  Promise.all(["orders", "ledger", "self", "users"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
