import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText } from "./common.ts";

/** One change of a user's credits, in quota units. */
export const LedgerEntry = z.object({
  /** The natural id of the cause, such as `redemption:12:7`. */
  id: z.string(),
  user_id: z.int(),
  /** top_up, redemption, gift, check_in, invitation, rebate, transfer, refund, admin. */
  kind: z.string(),
  amount: z.int(),
  credits_after: z.int(),
  /** The resulting balance, including usage that is already posted; null on entries older than this field. */
  quota_after: z._default(z.nullable(z.int()), null),
  reason: z.string(),
  created_at: z.int(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/**
 * Data of `GET /api/ledger/self` and `/api/ledger/`; pages count from 1. `amount` is the sum of all matches: an integer with all its
 * digits, which may be larger than JavaScript's numbers represent exactly.
 */
export const LedgerPage = z.extend(pageSchema(LedgerEntry), { amount: z._default(z.number(), 0) });

/**
 * Query of the ledger lists, besides `p` and `page_size`; `reference` is the start of an id, `user_id` is for
 * administrators only.
 */
export const LedgerFilter = z.object({
  user_id: z.pipe(queryNumber, z.int().check(z.nonnegative())),
  reference: queryText,
  kind: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
});

/**
 * Data of `GET` and `POST /api/ledger/check` (root): the last reconciliation. Times are unix seconds, 0 for not yet.
 */
export const LedgerCheck = z.object({
  state: z.enum(["none", "running", "done", "failed"]),
  started_at: z.int(),
  finished_at: z.int(),
  is_clean: z.boolean(),
  /** The compared figures; lines with a difference begin with MISMATCH. */
  lines: z.array(z.string()),
});
export type LedgerCheck = z.infer<typeof LedgerCheck>;

/**
 * Query of `GET /api/user/statement`: a UTC month, as JSON or as `format=csv`; `user_id` is for administrators only.
 */
export const StatementQuery = z.object({
  month: queryText,
  format: queryText,
  /** The language of the file: zh, en; else the browser's. */
  lang: queryText,
  user_id: queryNumber,
});

/** Data of `GET /api/user/statement`: opening + credited − spent = closing, in quota units. */
export const Statement = z.object({
  month: z.string(),
  user_id: z.int(),
  username: z.string(),
  quota_per_unit: z.number(),
  opening_quota: z.int(),
  credited_quota: z.int(),
  spent_quota: z.int(),
  closing_quota: z.int(),
  credits: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      amount: z.int(),
      credits_after: z.int(),
      reason: z.string(),
      created_at: z.int(),
    }),
  ),
  /** By UTC day (YYYY-MM-DD) and model. */
  uses: z.array(
    z.object({
      day: z.string(),
      model_name: z.string(),
      request_count: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      quota: z.int(),
    }),
  ),
  /** True when there are more rows than listed; the sums are complete in any case. */
  is_cut: z.boolean(),
});
export type Statement = z.infer<typeof Statement>;
