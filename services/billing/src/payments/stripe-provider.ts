import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import type Stripe from "stripe";
import type { SecretOptions } from "../auth-client/secret-options.ts";
import type { OrderDoc } from "../store/payment-documents.ts";
import { formatQuota } from "../accounts/log-amounts.ts";
import {
  type Checkout,
  type Notice,
  type PaymentProvider,
  queryFailed,
  type Reading,
  type SiteAddresses,
  type Statement,
} from "./payment-provider.ts";

const TIMEOUT_MS = 8_000;
const TOLERANCE_SECONDS = 300;
const EVENTS: Readonly<Record<string, Statement["event"]>> = {
  "checkout.session.completed": "paid",
  "checkout.session.async_payment_succeeded": "paid",
  "checkout.session.async_payment_failed": "failed",
  "checkout.session.expired": "expired",
};

type Deps = {
  readonly options: () => OptionsInForce;
  readonly secrets: SecretOptions;
  /** Address of Stripe's API. */
  readonly apiUrl: string;
};

type SessionParams = Stripe.Checkout.SessionCreateParams;

/** Loaded on first use: it takes a fifth of a service's start time, and not every install has Stripe. */
const loadStripe = async () => (await import("stripe")).default;

const getId = (value: string | { readonly id: string } | null | undefined): string =>
  (typeof value === "string" ? value : value?.id) ?? "";

/** Maps a session event to its order. */
function toStatement(event: Statement["event"], session: Stripe.Checkout.Session): Statement {
  return {
    event,
    tradeNo: session.client_reference_id ?? "",
    // Before discounts: the agreed price, regardless of promotions.
    moneyCents: session.amount_subtotal ?? undefined,
    currency: session.currency ?? "",
    checkoutReference: session.id,
    providerReference: getId(session.payment_intent) || session.id,
  };
}

/** A client of the API at an address. */
async function createClient(apiUrl: string, apiSecret: string): Promise<Stripe> {
  const StripeClient = await loadStripe();
  const { protocol, hostname, port } = new URL(apiUrl);
  return new StripeClient(apiSecret, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

/** The line of an order: units of the configured price where the quota is whole dollars, else an amount. */
function toLineItem(order: OrderDoc, options: OptionsInForce): Stripe.Checkout.SessionCreateParams.LineItem {
  const priceId = options.text("StripePriceId").trim();
  const dollars = order.quota / options.number("QuotaPerUnit");
  if (priceId !== "" && Number.isInteger(dollars)) return { price: priceId, quantity: dollars };
  const name = `${options.text("SystemName")} ${formatQuota(order.quota, options)}`;
  return {
    price_data: { currency: order.currency, unit_amount: order.moneyCents, product_data: { name } },
    quantity: 1,
  };
}

const toSessionParams = (order: OrderDoc, { site }: SiteAddresses, options: OptionsInForce): SessionParams => ({
  mode: "payment",
  client_reference_id: order.tradeNo,
  line_items: [toLineItem(order, options)],
  allow_promotion_codes: options.flag("StripePromotionCodesEnabled"),
  metadata: { trade_no: order.tradeNo, user_id: String(order.userId) },
  success_url: `${site}/app/wallet?payment=success`,
  cancel_url: `${site}/app/wallet?payment=cancelled`,
});

/** The event of a notification; undefined when its signature is not valid. */
async function readEvent(notice: Notice, secret: string): Promise<Stripe.Event | undefined> {
  const { webhooks } = await loadStripe();
  try {
    const body = Buffer.from(notice.body);
    return webhooks.constructEvent(body, notice.signature, secret, TOLERANCE_SECONDS);
  } catch {
    return undefined;
  }
}

/** The type of an error: Stripe's own messages may quote the key. */
async function nameError(error: unknown): Promise<string> {
  const { errors } = await loadStripe();
  return error instanceof errors.StripeError ? `${error.type} ${error.statusCode ?? ""}`.trim() : "no response";
}

/** Stripe Checkout: a session that the browser opens, and signed webhooks about it. */
export function createStripeProvider({ options, secrets, apiUrl }: Deps): PaymentProvider {
  const read = async (key: "StripeApiSecret" | "StripeWebhookSecret"): Promise<string> =>
    (await secrets([key]))[key] ?? "";
  return {
    name: "stripe",
    methods: ["stripe"],
    async tariff() {
      if ((await read("StripeApiSecret")) === "") return undefined;
      const unitPrice = options().number("StripeUnitPrice");
      const dollarsMin = options().number("StripeMinTopUp");
      return { unitPrice, dollarsMin, currency: options().text("StripeCurrency") };
    },
    async open(order, addresses): Promise<Checkout> {
      const apiSecret = await read("StripeApiSecret");
      if (apiSecret === "") throw new AppError("payment_not_configured", "Stripe is not configured");
      const client = await createClient(apiUrl, apiSecret);
      try {
        const session = await client.checkout.sessions.create(toSessionParams(order, addresses, options()), {
          idempotencyKey: order.tradeNo,
        });
        if (!session.url) throw new Error("Stripe returned a session without an address");
        const price = { moneyCents: session.amount_subtotal ?? order.moneyCents, currency: session.currency ?? "" };
        return { url: session.url, fields: {}, checkoutReference: session.id, price };
      } catch (error) {
        throw new AppError("payment_provider_failed", `Stripe: ${await nameError(error)}`);
      }
    },
    async read(notice): Promise<Reading> {
      const secret = await read("StripeWebhookSecret");
      if (secret === "") return { verdict: "refused", reason: "not_configured" };
      const event = await readEvent(notice, secret);
      if (!event) return { verdict: "refused", reason: "bad_signature" };
      const kind = EVENTS[event.type];
      if (!kind) return { verdict: "ignored" };
      const session = event.data.object as Stripe.Checkout.Session;
      // A session may complete before its payment arrives; another event reports the payment.
      if (kind === "paid" && session.payment_status === "unpaid") return { verdict: "ignored" };
      return { verdict: "reported", statement: toStatement(kind, session) };
    },
    async query({ checkoutReference }): Promise<Statement | undefined> {
      const apiSecret = await read("StripeApiSecret");
      if (apiSecret === "") throw new AppError("payment_not_configured", "Stripe is not configured");
      if (checkoutReference === "") throw queryFailed("Stripe: the order has no checkout");
      const client = await createClient(apiUrl, apiSecret);
      try {
        const session = await client.checkout.sessions.retrieve(checkoutReference);
        if (session.payment_status !== "unpaid") return toStatement("paid", session);
        return session.status === "expired" ? toStatement("expired", session) : undefined;
      } catch (error) {
        throw queryFailed(`Stripe: ${await nameError(error)}`);
      }
    },
  };
}
