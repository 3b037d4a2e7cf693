import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** A token was edited, switched or deleted: drop what you know of its key. */
export const tokenChanged = defineEvent(
  "billing.token.changed.v1",
  z.object({ tokenId: z.number().int(), userId: z.number().int(), keyHash: z.string() }),
);

/** Credits were added or taken: the balance in Redis has been brought up to date already. */
export const accountChanged = defineEvent("billing.account.changed.v1", z.object({ userId: z.number().int() }));

/** An order was paid and its quota credited. */
export const orderPaid = defineEvent(
  "billing.order.paid.v1",
  z.object({ tradeNo: z.string(), userId: z.number().int(), quota: z.number().int() }),
);

/** Balances after spending, told at most once a second and user: for those who warn people whose balance runs low. */
export const accountsSpent = defineEvent(
  "billing.accounts.spent.v1",
  z.object({ accounts: z.array(z.object({ userId: z.number().int(), quota: z.number().int() })).max(1000) }),
);

/** The price book changed as a whole: fetch it again. */
export const pricesChanged = defineEvent(
  "billing.prices.changed.v1",
  z.object({ revision: z.number().int(), keys: z.array(z.string()) }),
);
