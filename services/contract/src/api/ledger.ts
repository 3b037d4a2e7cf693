import { z } from "zod";
import { pageOf, queryNumber } from "./common.ts";

/** One change of a user's credits, in quota units. */
export const LedgerEntry = z.object({
  /** The natural id of what happened, such as `redemption:12:7`. */
  id: z.string(),
  user_id: z.int(),
  /** top_up, redemption, gift, check_in, invitation, rebate, transfer, refund, admin. */
  kind: z.string(),
  amount: z.int(),
  credits_after: z.int(),
  reason: z.string(),
  created_at: z.int(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** Data of `GET /api/ledger/self` and `/api/ledger/`; pages count from 1. */
export const LedgerPage = pageOf(LedgerEntry);

/** Query of `GET /api/ledger/` (admin), beside `p` and `page_size`. */
export const LedgerFilter = z.object({ user_id: queryNumber.pipe(z.int().positive()) });
