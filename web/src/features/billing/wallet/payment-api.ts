import type { PaymentInfo } from "@turnpike/contract/api/payment";
import { queryOptions } from "@tanstack/react-query";
import { api, callRaw } from "../../../lib/api-client.ts";
import { isFlag, isListOf, isMapOf, isNumber, isObjectOf, isText } from "../../../lib/check.ts";

const isPaymentInfo = isObjectOf<PaymentInfo>({
  enable_online_topup: isFlag,
  enable_stripe_topup: isFlag,
  min_topup: isNumber,
  display_in_currency: isFlag,
  pay_methods: isListOf(
    isObjectOf<PaymentInfo["pay_methods"][number]>({
      type: isText,
      provider: isText,
      min_topup: isNumber,
      unit_price: isText,
      currency: isText,
    }),
  ),
});

/** What this person can pay with; no methods while online top-up is off. */
export const paymentInfoQuery = queryOptions({
  queryKey: ["payment-info"],
  queryFn: ({ signal }) => api.get("/api/user/topup/info", { fits: isPaymentInfo, signal }),
  staleTime: 60_000,
});

/** What an amount costs with a method, as decimal text. Amounts are dollars, or quota units where the site shows these. */
export const payableQuery = (amount: number, method: string) =>
  queryOptions({
    queryKey: ["payable", amount, method],
    queryFn: ({ signal }) =>
      api.post("/api/user/amount", { body: { amount, payment_method: method }, fits: isText, signal }),
    staleTime: 30_000,
    retry: false,
  });

type Checkout = { readonly data: Record<string, string>; readonly url: string };
const isCheckout = isObjectOf<Checkout>({ data: isMapOf(isText), url: isText });

/** Makes an order. The answer is where to pay it: a form to post, or a page to open when it has no fields. */
export const startPayment = (amount: number, method: string): Promise<Checkout> =>
  callRaw("POST", "/api/user/pay", {
    body: { amount, payment_method: method },
    fits: isCheckout,
    timeoutMs: 30_000,
  });

/** Leaves this page for the provider's. */
export function openCheckout({ data, url }: Checkout): void {
  const fields = Object.entries(data);
  if (fields.length === 0) {
    window.location.assign(url);
    return;
  }
  const form = document.createElement("form");
  form.method = "post";
  form.action = url;
  form.hidden = true;
  for (const [name, value] of fields) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
