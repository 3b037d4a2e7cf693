import type { OrderDoc } from "../store/documents.ts";

export type ProviderName = "epay" | "stripe";

/** What a provider asks for, and how little it takes. */
export type Tariff = {
  /** Per dollar of quota, in the provider's currency. */
  readonly unitPrice: number;
  /** Dollars. */
  readonly dollarsMin: number;
  /** Lower-case ISO code; hundredths are its smallest unit. */
  readonly currency: string;
};

/** Where a person goes to pay: a form to post, or a page to open when there are no fields. */
export type Checkout = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The provider's own number of the checkout, which its notices must name; "" when it has none. */
  readonly checkoutReference: string;
  /** What the provider says the order costs, where it decides. */
  readonly price: { readonly moneyCents: number; readonly currency: string } | undefined;
};

/** Addresses of this site as the provider and the browser reach them. */
export type SiteAddresses = { readonly callback: string; readonly site: string };

/** A provider's message as it came. */
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

/** What a believed message says about an order. */
export type Statement = {
  readonly event: "paid" | "failed" | "expired";
  readonly tradeNo: string;
  /** undefined where the event is not about money. */
  readonly moneyCents: number | undefined;
  readonly currency: string;
  readonly checkoutReference: string;
  /** The provider's own number of the payment. */
  readonly providerReference: string;
};

/** A message that proves its sender says something about an order or nothing that matters here; others are refused. */
export type Reading =
  | { readonly verdict: "refused"; readonly reason: RefusalReason }
  | { readonly verdict: "ignored" }
  | { readonly verdict: "says"; readonly statement: Statement };

/** One way to take money. Settings are read at each call, so that a change is in force at once. */
export type PaymentProvider = {
  readonly name: ProviderName;
  /** What a person chooses: zfb, wx, stripe. */
  readonly methods: readonly string[];
  /** undefined while it is not configured. */
  readonly tariff: () => Promise<Tariff | undefined>;
  /** Opens a checkout; throws payment_not_configured or payment_provider_failed. Repeating it for one order opens the same one. */
  readonly open: (order: OrderDoc, addresses: SiteAddresses) => Promise<Checkout>;
  /** Reads a message; never believes one without its secret. Throws `unavailable` when the secret cannot be learned now. */
  readonly read: (notice: Notice) => Promise<Reading>;
};
