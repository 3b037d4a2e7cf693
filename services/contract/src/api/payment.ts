import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText, integer, successSchema } from "./common.ts";

/** States of an order. */
export const ORDER_STATUSES = ["pending", "paid", "failed", "expired", "mismatched", "refunded", "returned"] as const;

/** Body of `POST /api/user/amount` and `POST /api/user/pay`: dollars, or quota units where the site shows quota. */
export const PayBody = z.object({
  amount: integer,
  /** zfb, wx or stripe; empty selects the first configured one. */
  payment_method: z._default(z.string().check(z.trim(), z.maxLength(20)), ""),
  /** Accepted from older consoles, without effect. */
  top_up_code: z.optional(z.string()),
});
export type PayBody = z.input<typeof PayBody>;

/** Body of `POST /api/user/stripe/pay`. */
export const StripePayBody = z.object({ amount: integer });

/** Data of `GET /api/user/topup/info`: the user's payment methods; empty while online top-up is off. */
export const PaymentInfo = z.object({
  enable_online_topup: z.boolean(),
  enable_stripe_topup: z.boolean(),
  /** The lowest minimum of any method, in the site's unit. */
  min_topup: z.int(),
  display_in_currency: z.boolean(),
  pay_methods: z.array(
    z.object({
      type: z.string(),
      provider: z.string(),
      min_topup: z.int(),
      /** Decimal text: the price of a dollar of quota in this user's group. */
      unit_price: z.string(),
      currency: z.string(),
    }),
  ),
});
export type PaymentInfo = z.infer<typeof PaymentInfo>;

/**
 * Response of `POST /api/user/pay`: the address to pay at, and the fields of the form to post there; without fields it
 * is a page to open.
 */
export const Checkout = z.extend(successSchema(z.record(z.string(), z.string())), { url: z.string() });
export type Checkout = z.infer<typeof Checkout>;

/** Data of `POST /api/user/stripe/pay`: the address to pay at. */
export const StripeCheckout = z.object({ pay_link: z.string() });

/** One purchase of quota. Times are unix seconds, 0 for not yet. */
export const Order = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  trade_no: z.string(),
  provider: z.string(),
  payment_method: z.string(),
  /** The amount as requested: dollars, or quota units. */
  amount: z.int(),
  quota: z.int(),
  /** Two decimals, such as "73.00". */
  money: z.string(),
  currency: z.string(),
  status: z.string(),
  create_time: z.int(),
  complete_time: z.int(),
  refund_time: z.int(),
  refund_quota: z.int(),
  refund_reason: z.string(),
  provider_reference: z.string(),
  /** Payments that were not credited: of another amount, or a second one. */
  receipts: z.array(z.object({ reference: z.string(), money: z.string(), currency: z.string(), time: z.int() })),
  /** Why an administrator credited the order; "" where the provider's notification did. */
  settle_reason: z.string(),
});
export type Order = z.infer<typeof Order>;

/** Data of `GET /api/order/` and `/api/order/self`; pages count from 1. */
export const OrderPage = pageSchema(Order);

/** Query of the order lists, besides `p` and `page_size`; `user_id` takes effect for administrators only. */
export const OrderFilter = z.object({
  user_id: queryNumber,
  keyword: queryText,
  status: queryText,
  provider: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
});

/**
 * Body of `POST /api/order/{id}/settle`; a quota of 0 or none credits the share of the order that was paid, or all of it
 * where no payment is known.
 */
export const SettleBody = z.object({
  quota: z._default(integer, 0),
  reason: z._default(z.string().check(z.trim()), ""),
  provider_reference: z._default(z.string().check(z.trim()), ""),
});
export type SettleBody = z.input<typeof SettleBody>;

/** Data of `POST /api/order/{id}/query`: the order afterwards, and whether the provider reports a payment. */
export const OrderQueryResult = z.object({ order: Order, is_paid: z.boolean() });

/** Body of `POST /api/order/{id}/refund`; a quota of 0 or none revokes everything that the order credited. */
export const RefundBody = z.object({
  quota: z._default(integer, 0),
  reason: z._default(z.string().check(z.trim()), ""),
});
export type RefundBody = z.input<typeof RefundBody>;
