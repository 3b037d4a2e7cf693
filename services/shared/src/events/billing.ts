import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** A token was edited, enabled, disabled or deleted: invalidate its cached key. */
export const tokenChanged = defineEvent(
  "billing.token.changed.v1",
  z.object({ tokenId: z.number().int(), userId: z.number().int(), keyHash: z.string() }),
);

/** Credits were added or removed: the balance in Redis is already up to date. */
export const accountChanged = defineEvent("billing.account.changed.v1", z.object({ userId: z.number().int() }));

/** An order was paid and its quota credited. */
export const orderPaid = defineEvent(
  "billing.order.paid.v1",
  z.object({ tradeNo: z.string(), userId: z.number().int(), quota: z.number().int() }),
);

/** A provider reported a payment that is not as ordered: it was not credited, and an administrator must decide. */
export const orderMismatched = defineEvent(
  "billing.order.mismatched.v1",
  z.object({
    orderId: z.number().int(),
    tradeNo: z.string(),
    userId: z.number().int(),
    username: z.string(),
    expectedCents: z.number().int(),
    expectedCurrency: z.string(),
    receivedCents: z.number().int(),
    receivedCurrency: z.string(),
  }),
);

/** Balances after spending, published at most once a second per user, for low-balance warnings. */
export const accountsSpent = defineEvent(
  "billing.accounts.spent.v1",
  z.object({ accounts: z.array(z.object({ userId: z.number().int(), quota: z.number().int() })).max(1000) }),
);

/** The price book changed as a whole: fetch it again. */
export const pricesChanged = defineEvent(
  "billing.prices.changed.v1",
  z.object({ revision: z.number().int(), keys: z.array(z.string()) }),
);

/** Models and channels that are newly sold below cost; `items` are those with the largest losses. Amounts are quota units. */
export const belowCostFound = defineEvent(
  "billing.margins.below-cost.v1",
  z.object({
    total: z.number().int(),
    items: z.array(z.object({ kind: z.string(), name: z.string(), charged: z.number().int(), cost: z.number().int() })),
  }),
);

/** A scheduled comparison found prices in a catalogue that are new or changed, or applied some. `large` ones change by more than the set factor. */
export const catalogueProposed = defineEvent(
  "billing.catalogue.proposed.v1",
  z.object({
    source: z.string(),
    added: z.number().int(),
    changed: z.number().int(),
    large: z.number().int(),
    applied: z.number().int(),
  }),
);

/**
 * Days whose provider's report newly differs from the log, or could not be fetched several times in a row. `day` is its first second in
 * UTC; `state` is different or failing.
 */
export const providerReportsFound = defineEvent(
  "billing.provider-reports.found.v1",
  z.object({
    total: z.number().int(),
    items: z.array(
      z.object({
        channelId: z.number().int(),
        day: z.number().int(),
        state: z.string(),
        differenceCents: z.number().int(),
        problem: z.string(),
      }),
    ),
  }),
);
