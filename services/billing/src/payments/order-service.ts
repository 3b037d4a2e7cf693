import { randomInt } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type {
  CreateOrderRequest,
  PaymentMethod,
  QuotePaymentRequest,
} from "@turnpike/proto/billing/v1/payment_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Rebates } from "../accounts/rebates.ts";
import type { OrderDoc } from "../store/payment-documents.ts";
import { getTopUpRatio } from "./order-amounts.ts";
import type { OrderStore } from "./order-store.ts";
import type { Checkout, PaymentProvider, SiteAddresses } from "./payment-provider.ts";
import { getAmountMin, findProvider, type Quote, toQuote } from "./quote.ts";

type Deps = {
  readonly providers: readonly PaymentProvider[];
  readonly store: OrderStore;
  readonly rebates: Rebates;
  /** Prices decide what users pay: they must be known, not assumed. */
  readonly options: () => OptionsInForce;
  readonly nowSeconds: () => number;
};

export type OrderService = ReturnType<typeof createOrderService>;

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const NEW_ORDER = {
  status: "pending",
  paidAt: 0,
  refundedAt: 0,
  refundedQuota: 0,
  refundReason: "",
  rebateQuota: 0,
  checkoutReference: "",
  providerReference: "",
};

const randomText = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)] ?? "").join("");

const toOrigin = (text: string): string | undefined => {
  const address = text.trim().replace(/\/+$/, "");
  return /^https?:\/\//.test(address) && URL.canParse(address) ? address : undefined;
};

/** This site's address for the provider and the browser: from the options, else as the buyer's browser sees it. */
export function siteAddresses(options: OptionsInForce, origin: string): SiteAddresses {
  const site = toOrigin(options.text("ServerAddress")) ?? toOrigin(origin);
  const callback = toOrigin(options.text("CustomCallbackAddress")) ?? site;
  if (site === undefined || callback === undefined)
    throw new AppError("payment_address_unknown", "neither ServerAddress nor the caller's origin is known");
  return { site, callback };
}

/** A new order that awaits payment. */
const toNewOrder = (
  { userId, username, amount }: CreateOrderRequest,
  terms: Quote & { readonly provider: string; readonly method: string },
  about: { readonly inviter: Awaited<ReturnType<Rebates["findInviter"]>>; readonly createdAt: number },
): Omit<OrderDoc, "_id"> => ({
  ...NEW_ORDER,
  ...terms,
  tradeNo: `USR${userId}NO${randomText(6)}${about.createdAt}`,
  userId,
  username,
  amount,
  createdAt: about.createdAt,
  inviterId: about.inviter?.id ?? 0,
  inviterName: about.inviter?.username ?? "",
});

/** Purchases: payment methods, prices, and orders that await payment. */
export function createOrderService(deps: Deps) {
  const { providers, store, nowSeconds } = deps;

  const openCheckout = async (provider: PaymentProvider, order: OrderDoc, at: SiteAddresses): Promise<Checkout> => {
    try {
      const checkout = await provider.open(order, at);
      const { checkoutReference, price } = checkout;
      const set = { checkoutReference, ...price };
      if (checkoutReference !== "") await store.move(order._id, { from: ["pending"], set });
      return checkout;
    } catch (error) {
      await store.move(order._id, { from: ["pending"], set: { status: "failed" } });
      throw error;
    }
  };
  return {
    /** The payment methods of a user's group. */
    async methods(userGroup: string): Promise<PaymentMethod[]> {
      const options = deps.options();
      const ratio = getTopUpRatio(options.json<Record<string, number>>("TopupGroupRatio"), userGroup);
      const found = await Promise.all(
        providers.map(async (provider) => ({ provider, tariff: await provider.tariff() })),
      );
      return found.flatMap(({ provider, tariff }) =>
        (tariff ? provider.methods : []).map((method) => ({
          provider: provider.name,
          method,
          amountMin: tariff ? getAmountMin(tariff, options) : 0,
          unitPrice: tariff ? String(Number((tariff.unitPrice * ratio).toFixed(6))) : "",
          currency: tariff?.currency ?? "",
        })),
      );
    },
    async quote({ amount, userGroup, method }: QuotePaymentRequest): Promise<Quote> {
      const { tariff } = await findProvider(providers, method);
      return toQuote({ amount, userGroup }, tariff, deps.options());
    },
    /** Creates a pending order and its checkout; an order whose checkout cannot be opened is stored as failed. */
    async create(request: CreateOrderRequest): Promise<{ order: OrderDoc; checkout: Checkout }> {
      const options = deps.options();
      const { provider, tariff, method } = await findProvider(providers, request.method);
      const quote = toQuote(request, tariff, options);
      const addresses = siteAddresses(options, request.origin);
      const about = { inviter: await deps.rebates.findInviter(request.userId), createdAt: nowSeconds() };
      const order = await store.insert(toNewOrder(request, { ...quote, provider: provider.name, method }, about));
      return { order, checkout: await openCheckout(provider, order, addresses) };
    },
  };
}
