import { PayBody, type PaymentInfo, StripePayBody } from "@turnpike/contract/api/payment";
import { errorMessage, ERRORS } from "@turnpike/contract/errors";
import { moneyText } from "@turnpike/contract/pricing/money";
import type { CreateOrderResponse } from "@turnpike/proto/billing/v1/payment_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { type ApiResponse, ok } from "../http/api-response.ts";
import type { RouteContext } from "../http/route.ts";
import { originOf } from "../http/site-origin.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Opening a checkout asks the provider. */
const CHECKOUT_TIMEOUT_MS = 20_000;

/** The consoles of this family read the reason of a refused payment from `data`: it is there beside the usual failure. */
async function withReason(context: RouteContext<"user">, run: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || ERRORS[error.code].http !== 200) throw error;
    const { code, params } = error;
    const message = errorMessage(code, params, context.facts.language);
    return { body: { success: false, message, data: message, code, params } };
  }
}

/** Buying quota. Mounted at /api/user. */
export function paymentRoutes({ services: { payments }, route, options }: RoutesDeps): Router {
  const order = (
    asked: { amount: number; method: string },
    { caller, call, facts, request }: RouteContext<"user">,
  ): Promise<CreateOrderResponse> => {
    const { id: userId, username, group: userGroup } = caller.user;
    const at = { origin: originOf(request, facts.isProxied), address: facts.address };
    return payments.createOrder(
      { ...asked, ...at, userId, username, userGroup },
      { ...call, timeoutMs: CHECKOUT_TIMEOUT_MS },
    );
  };
  const quote = async (asked: { amount: number; method: string }, { caller, call }: RouteContext<"user">) => {
    const quoted = await payments.quotePayment({ ...asked, userGroup: caller.user.group }, call);
    return ok(moneyText(quoted.moneyCents), "success");
  };
  return Router()
    .get(
      "/topup/info",
      route({ access: "user" }, async (_, { caller, call }) => {
        const { methods } = await payments.getPaymentInfo({ userGroup: caller.user.group }, call);
        const info: PaymentInfo = {
          enable_online_topup: methods.some(({ provider }) => provider === "epay"),
          enable_stripe_topup: methods.some(({ provider }) => provider === "stripe"),
          min_topup: Math.min(...methods.map(({ amountMin }) => amountMin), Number.MAX_SAFE_INTEGER),
          display_in_currency: options.known().flag("DisplayInCurrencyEnabled"),
          pay_methods: methods.map(({ method, provider, amountMin, unitPrice, currency }) => ({
            type: method,
            provider,
            min_topup: amountMin,
            unit_price: unitPrice,
            currency,
          })),
        };
        return ok(methods.length === 0 ? { ...info, min_topup: options.known().number("MinTopUp") } : info);
      }),
    )
    .post(
      "/amount",
      route({ access: "user", body: PayBody }, ({ body }, context) =>
        withReason(context, () => quote({ amount: body.amount, method: body.payment_method }, context)),
      ),
    )
    .post(
      "/stripe/amount",
      route({ access: "user", body: StripePayBody }, ({ body }, context) =>
        withReason(context, () => quote({ amount: body.amount, method: "stripe" }, context)),
      ),
    )
    .post(
      "/pay",
      route({ access: "user", body: PayBody }, ({ body }, context) =>
        withReason(context, async () => {
          const { url, fields } = await order({ amount: body.amount, method: body.payment_method }, context);
          return { body: { success: true, message: "success", data: fields, url } };
        }),
      ),
    )
    .post(
      "/stripe/pay",
      route({ access: "user", body: StripePayBody }, ({ body }, context) =>
        withReason(context, async () => {
          const { url } = await order({ amount: body.amount, method: "stripe" }, context);
          return ok({ pay_link: url }, "success");
        }),
      ),
    );
}
