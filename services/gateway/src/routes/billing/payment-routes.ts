import { z } from "zod/mini";
import { Failure, successSchema } from "@turnpike/contract/api/common";
import { PayBody, PaymentInfo, StripePayBody, Checkout, StripeCheckout } from "@turnpike/contract/api/payment";
import { errorMessage, ERRORS } from "@turnpike/contract/errors";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatCents } from "@turnpike/contract/pricing/dollars";
import type { CreateOrderResponse, PaymentMethod } from "@turnpike/proto/billing/v1/payment_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { type ApiResponse, ok } from "../../http/api-response.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { getOrigin } from "../../http/security/site-origin.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** Opening a checkout makes a request to the provider. */
const CHECKOUT_TIMEOUT_MS = 20_000;

/**
 * Consoles of this family read the reason of a refused payment from `data`; the response has it there and in the common
 * failure fields.
 */
async function withReason<Body>(
  context: RouteContext<"user">,
  run: () => Promise<ApiResponse<Body>>,
): Promise<ApiResponse<Body | Failure>> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || ERRORS[error.code].http !== 200) throw error;
    const { code, params } = error;
    const message = errorMessage(code, params, context.facts.language);
    return { body: { success: false, message, data: message, code, params } };
  }
}

function toPaymentInfo(methods: readonly PaymentMethod[], options: OptionsInForce): PaymentInfo {
  const amountMin = Math.min(...methods.map((method) => method.amountMin), Number.MAX_SAFE_INTEGER);
  return {
    enable_online_topup: methods.some(({ provider }) => provider === "epay"),
    enable_stripe_topup: methods.some(({ provider }) => provider === "stripe"),
    min_topup: methods.length === 0 ? options.number("MinTopUp") : amountMin,
    display_in_currency: options.flag("DisplayInCurrencyEnabled"),
    pay_methods: methods.map((method) => ({
      type: method.method,
      provider: method.provider,
      min_topup: method.amountMin,
      unit_price: method.unitPrice,
      currency: method.currency,
    })),
  };
}

const SPECS = {
  listPaymentMethods: { access: "user", summary: "List the payment methods", returns: successSchema(PaymentInfo) },
  quote: {
    access: "user",
    summary: "Quote the price of an amount",
    returns: z.union([successSchema(z.string()), Failure]),
    body: PayBody,
  },
  quoteStripe: {
    access: "user",
    summary: "Quote the price of an amount with Stripe",
    returns: z.union([successSchema(z.string()), Failure]),
    body: StripePayBody,
  },
  pay: {
    access: "user",
    summary: "Create an order and its checkout",
    returns: z.union([Checkout, Failure]),
    body: PayBody,
  },
  payByStripe: {
    access: "user",
    summary: "Create an order and its Stripe checkout",
    returns: z.union([successSchema(StripeCheckout), Failure]),
    body: StripePayBody,
  },
} as const;

/** Purchases of quota. Mounted at /api/user. */
export function paymentRoutes({ services: { payments }, route, options }: RoutesDeps): Router {
  const order = (
    choice: { amount: number; method: string },
    { caller, call, facts, request }: RouteContext<"user">,
  ): Promise<CreateOrderResponse> => {
    const { id: userId, username, group: userGroup } = caller.user;
    const at = { origin: getOrigin(request, facts.isProxied), address: facts.address };
    return payments.createOrder(
      { ...choice, ...at, userId, username, userGroup },
      { ...call, timeoutMs: CHECKOUT_TIMEOUT_MS },
    );
  };
  const quote = async (choice: { amount: number; method: string }, { caller, call }: RouteContext<"user">) => {
    const quoted = await payments.quotePayment({ ...choice, userGroup: caller.user.group }, call);
    return ok(formatCents(quoted.moneyCents), "success");
  };
  return Router()
    .get(
      "/topup/info",
      route(SPECS.listPaymentMethods, async (_, { caller, call }) => {
        const { methods } = await payments.getPaymentInfo({ userGroup: caller.user.group }, call);
        return ok(toPaymentInfo(methods, options.known()));
      }),
    )
    .post(
      "/amount",
      route(SPECS.quote, ({ body }, context) =>
        withReason(context, () => quote({ amount: body.amount, method: body.payment_method }, context)),
      ),
    )
    .post(
      "/stripe/amount",
      route(SPECS.quoteStripe, ({ body }, context) =>
        withReason(context, () => quote({ amount: body.amount, method: "stripe" }, context)),
      ),
    )
    .post(
      "/pay",
      route(SPECS.pay, ({ body }, context) =>
        withReason(context, async () => {
          const { url, fields } = await order({ amount: body.amount, method: body.payment_method }, context);
          return { body: { ...ok(fields, "success").body, url } };
        }),
      ),
    )
    .post(
      "/stripe/pay",
      route(SPECS.payByStripe, ({ body }, context) =>
        withReason(context, async () => {
          const { url } = await order({ amount: body.amount, method: "stripe" }, context);
          return ok({ pay_link: url }, "success");
        }),
      ),
    );
}
