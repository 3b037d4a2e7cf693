import { Checkout, PaymentInfo } from "@turnpike/contract/api/payment";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api, callRaw } from "../../../lib/api/api-client.ts";

/** The user's payment methods; none while online top-up is off. */
export const paymentInfoQuery = queryOptions({
  queryKey: ["payment-info"],
  queryFn: ({ signal }) => api.get("/api/user/topup/info", { schema: PaymentInfo, signal }),
  staleTime: 60_000,
});

/**
 * The price of an amount with a method, as decimal text. Amounts are dollars, or quota units where the site shows
 * quota.
 */
export const payableQuery = (amount: number, method: string) =>
  queryOptions({
    queryKey: ["payable", amount, method],
    queryFn: ({ signal }) =>
      api.post("/api/user/amount", { body: { amount, payment_method: method }, schema: z.string(), signal }),
    staleTime: 30_000,
    retry: false,
  });

/** Creates an order. Returns where to pay it: a form to post, or a page to open when it has no fields. */
export const startPayment = (amount: number, method: string): Promise<Checkout> =>
  callRaw("POST", "/api/user/pay", {
    body: { amount, payment_method: method },
    schema: Checkout,
    timeoutMs: 30_000,
  });

/** Leaves this page for the provider's page. */
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
