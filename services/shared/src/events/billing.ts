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

/** Balances after spending, published at most once a second per user: for low-balance warnings. */
export const accountsSpent = defineEvent(
  "billing.accounts.spent.v1",
  z.object({ accounts: z.array(z.object({ userId: z.number().int(), quota: z.number().int() })).max(1000) }),
);

/** The price book changed as a whole: fetch it again. */
export const pricesChanged = defineEvent(
  "billing.prices.changed.v1",
  z.object({ revision: z.number().int(), keys: z.array(z.string()) }),
);
