import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** A token was edited, switched or deleted: drop what you know of its key. */
export const tokenChanged = defineEvent(
  "billing.token.changed.v1",
  z.object({ tokenId: z.number().int(), userId: z.number().int(), keyHash: z.string() }),
);

/** Credits were added or taken: the balance in Redis has been brought up to date already. */
export const accountChanged = defineEvent("billing.account.changed.v1", z.object({ userId: z.number().int() }));

/** A balance fell below its owner's warning threshold. */
export const balanceLow = defineEvent(
  "billing.balance.low.v1",
  z.object({ userId: z.number().int(), quota: z.number().int(), threshold: z.number().int() }),
);
