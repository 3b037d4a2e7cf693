import { AppError } from "@turnpike/shared/errors/app-error";
import type { OrderDoc } from "../store/payment-documents.ts";

export type ProviderName = "epay" | "stripe";

/** A provider's currency, price and minimum. */
export type Tariff = {
  /** Per dollar of quota, in the provider's currency. */
  readonly unitPrice: number;
  /** Dollars. */
  readonly dollarsMin: number;
  /** Lower-case ISO code; hundredths are its smallest unit. */
  readonly currency: string;
};

/** The checkout: a form to post, or a page to open when there are no fields. */
export type Checkout = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The provider's checkout id, which its notifications must name; "" when it has none. */
  readonly checkoutReference: string;
  /** The provider's price of the order, where it decides. */
  readonly price: { readonly moneyCents: number; readonly currency: string } | undefined;
};

/** Addresses of this site as the provider and the browser reach them. */
export type SiteAddresses = { readonly callback: string; readonly site: string };

/** A provider's message as received. */
export type Notice = {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signature: string;
};

export type RefusalReason =
  | "not_configured"
  | "bad_signature"
  | "malformed"
  | "unknown_order"
  | "wrong_amount"
  | "wrong_state";

/** What a verified message reports about an order. */
export type Statement = {
  readonly event: "paid" | "failed" | "expired";
  readonly tradeNo: string;
  /** undefined where the event does not concern payment. */
  readonly moneyCents: number | undefined;
  readonly currency: string;
  readonly checkoutReference: string;
  /** The provider's payment id. */
  readonly providerReference: string;
};

/** A verified message concerns an order or is irrelevant; unverified messages are rejected. */
export type Reading =
  | { readonly verdict: "refused"; readonly reason: RefusalReason }
  | { readonly verdict: "ignored" }
  | { readonly verdict: "reported"; readonly statement: Statement };

/** A payment provider. Settings are read at each call, so that a change takes effect at once. */
export type PaymentProvider = {
  readonly name: ProviderName;
  /** The method a user chooses: zfb, wx, stripe. */
  readonly methods: readonly string[];
  /** undefined while it is not configured. */
  readonly tariff: () => Promise<Tariff | undefined>;
  /** Opens a checkout; throws payment_not_configured or payment_provider_failed. Idempotent per order. */
  readonly open: (order: OrderDoc, addresses: SiteAddresses) => Promise<Checkout>;
  /**
   * Verifies and parses a message; never accepts one without its secret. Throws `unavailable` when the secret cannot be
   * read.
   */
  readonly read: (notice: Notice) => Promise<Reading>;
  /**
   * Queries an order at the provider: undefined while it is not paid and still open. Throws payment_not_configured, and
   * payment_query_failed for any other response.
   */
  readonly query: (order: OrderDoc) => Promise<Statement | undefined>;
};

/** The provider's response cannot be used; `detail` has the reason, without the provider's own text, which may quote a key. */
export const queryFailed = (detail: string, cause?: unknown): AppError =>
  new AppError("payment_query_failed", detail, { params: { detail }, cause });
