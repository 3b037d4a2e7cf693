import { IdParams, pageQuery } from "@turnpike/contract/api/common";
import { OrderFilter, RefundBody } from "@turnpike/contract/api/payment";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { toOrder } from "../presenters/order.ts";
import { requireField } from "../presenters/required-field.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const OrderQuery = OrderFilter.transform(({ user_id, start_timestamp, end_timestamp, ...rest }) => ({
  ...rest,
  userId: user_id,
  startSeconds: start_timestamp,
  endSeconds: end_timestamp,
})).and(pageQuery(1));

/** Purchases of quota. Mounted at /api/order; the own ones also at /api/user/topup/self, as newer relatives have it. */
export function orderRoutes({ services: { payments }, route }: RoutesDeps): { all: Router; own: Router } {
  const own = route({ access: "user", query: OrderQuery }, async ({ query }, { caller, call }) => {
    const found = await payments.listOrders({ ...query, userId: caller.user.id }, call);
    return okPage(query, { items: found.items.map(toOrder), total: found.total });
  });
  const all = Router()
    .get(
      "/",
      route({ access: "admin", query: OrderQuery }, async ({ query }, { call }) => {
        const found = await payments.listOrders(query, call);
        return okPage(query, { items: found.items.map(toOrder), total: found.total });
      }),
    )
    .get("/self", own)
    .post(
      "/:id/refund",
      route({ access: "admin", params: IdParams, body: RefundBody }, async ({ params, body }, { call }) =>
        ok(toOrder(requireField((await payments.refundOrder({ ...params, ...body }, call)).order, "order"))),
      ),
    );
  return { all, own: Router().get("/topup/self", own) };
}
