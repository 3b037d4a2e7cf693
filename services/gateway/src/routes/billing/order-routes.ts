import { IdParams, pageQuery, successSchema } from "@turnpike/contract/api/common";
import {
  OrderFilter,
  OrderQueryResult,
  RefundBody,
  Order,
  OrderPage,
  SettleBody,
} from "@turnpike/contract/api/payment";
import { Router } from "express";
import { ok, okPage } from "../../http/api-response.ts";
import { toOrder } from "../../presenters/billing/order.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

/** The provider is requested meanwhile. */
const QUERY_TIMEOUT_MS = 20_000;

const OrderQuery = z.intersection(
  z.pipe(
    OrderFilter,
    z.transform(({ user_id, start_timestamp, end_timestamp, ...rest }) => ({
      ...rest,
      userId: user_id,
      startSeconds: start_timestamp,
      endSeconds: end_timestamp,
    })),
  ),
  pageQuery(1),
);

const SPECS = {
  listOwnOrders: {
    access: "user",
    summary: "List the own orders",
    returns: successSchema(OrderPage),
    query: OrderQuery,
  },
  listAllOrders: { access: "admin", summary: "List all orders", returns: successSchema(OrderPage), query: OrderQuery },
  settleOrder: {
    access: "admin",
    summary: "Credit an order whose payment was not credited",
    returns: successSchema(Order),
    params: IdParams,
    body: SettleBody,
  },
  queryOrder: {
    access: "admin",
    summary: "Query the provider whether an order is paid",
    returns: successSchema(OrderQueryResult),
    params: IdParams,
  },
  refundOrder: {
    access: "admin",
    summary: "Revoke the credit of an order, or return a payment that was not credited",
    returns: successSchema(Order),
    params: IdParams,
    body: RefundBody,
  },
} as const;

/**
 * Purchases of quota. Mounted at /api/order; a user's own orders also at /api/user/topup/self, as in newer family
 * programs.
 */
export function orderRoutes({ services: { payments }, route }: RoutesDeps): { all: Router; own: Router } {
  const own = route(SPECS.listOwnOrders, async ({ query }, { caller, call }) => {
    const found = await payments.listOrders({ ...query, userId: caller.user.id }, call);
    return okPage(query, { items: found.items.map(toOrder), total: found.total });
  });
  const all = Router()
    .get(
      "/",
      route(SPECS.listAllOrders, async ({ query }, { call }) => {
        const found = await payments.listOrders(query, call);
        return okPage(query, { items: found.items.map(toOrder), total: found.total });
      }),
    )
    .get("/self", own)
    .post(
      "/:id/settle",
      route(SPECS.settleOrder, async ({ params, body }, { call }) => {
        const { provider_reference: providerReference, ...decision } = body;
        const settled = await payments.settleOrder({ ...params, ...decision, providerReference }, call);
        return ok(toOrder(requireField(settled.order, "order")));
      }),
    )
    .post(
      "/:id/query",
      route(SPECS.queryOrder, async ({ params }, { call }) => {
        const { order, isPaid } = await payments.queryOrder(params, { ...call, timeoutMs: QUERY_TIMEOUT_MS });
        return ok({ order: toOrder(requireField(order, "order")), is_paid: isPaid });
      }),
    )
    .post(
      "/:id/refund",
      route(SPECS.refundOrder, async ({ params, body }, { call }) =>
        ok(toOrder(requireField((await payments.refundOrder({ ...params, ...body }, call)).order, "order"))),
      ),
    );
  return { all, own: Router().get("/topup/self", own) };
}
