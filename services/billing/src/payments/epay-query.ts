import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { z } from "zod";
import type { OrderDoc } from "../store/payment-documents.ts";
import { queryFailed } from "./payment-provider.ts";

/** The merchant's gateway and account. */
export type EpaySettings = { readonly address: string; readonly merchantId: string; readonly key: string };

/** The gateway's response about an order. Gateways differ in whether numbers are text. */
const QueryResponse = z.object({
  code: z.coerce.number(),
  status: z.coerce.number().default(0),
  pid: z.coerce.string().default(""),
  out_trade_no: z.string().default(""),
  trade_no: z.coerce.string().default(""),
  money: z.coerce.string().default(""),
});

/** The fields of a payment, named as in a notification. */
type PaidFields = { readonly out_trade_no: string; readonly trade_no: string; readonly money: string };

const ORDER_KNOWN = 1;
const ORDER_PAID = 1;

async function fetchOrder(
  guard: Pick<PrivateAddressGuard, "fetch">,
  { tradeNo }: OrderDoc,
  { address, merchantId, key }: EpaySettings,
): Promise<unknown> {
  const query = new URLSearchParams({ act: "order", pid: merchantId, key, out_trade_no: tradeNo });
  try {
    const response = await guard.fetch(`${address}/api.php?${query.toString()}`);
    if (response.ok) return await response.json();
    throw queryFailed(`Epay: HTTP ${response.status}`);
  } catch (error) {
    // Without its cause: the address has the key in it, and errors of fetch may name the address.
    throw error instanceof AppError ? error : queryFailed("Epay: no response that can be read");
  }
}

/**
 * Queries an order at the gateway: its payment, or undefined while it is not paid. Throws payment_query_failed for an
 * response that is not about this order, and address_not_allowed for a private address.
 */
export async function queryEpay(
  guard: Pick<PrivateAddressGuard, "fetch">,
  order: OrderDoc,
  settings: EpaySettings,
): Promise<PaidFields | undefined> {
  const { data: response } = QueryResponse.safeParse(await fetchOrder(guard, order, settings));
  if (!response || response.code !== ORDER_KNOWN) throw queryFailed("Epay: the gateway does not know the order");
  const isOfMerchant = response.pid === "" || response.pid === settings.merchantId;
  if (response.out_trade_no !== order.tradeNo || !isOfMerchant)
    throw queryFailed("Epay: the response is about another order");
  return response.status === ORDER_PAID ? response : undefined;
}
