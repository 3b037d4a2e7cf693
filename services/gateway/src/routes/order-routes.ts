import { IdParams, pageQuery, successSchema } from "@turnpike/contract/api/common";
import { OrderFilter, RefundBody, Order, OrderPage } from "@turnpike/contract/api/payment";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { toOrder } from "../presenters/order.ts";
import { requireField } from "../presenters/required-field.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

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
  refundOrder: {
    access: "admin",
    summary: "Revoke the credit of an order",
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
      "/:id/refund",
      route(SPECS.refundOrder, async ({ params, body }, { call }) =>
        ok(toOrder(requireField((await payments.refundOrder({ ...params, ...body }, call)).order, "order"))),
      ),
    );
  return { all, own: Router().get("/topup/self", own) };
}
