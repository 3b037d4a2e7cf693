import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText } from "../common.ts";

/**
 * One price that an administrator changed; `name` is the model or group, "" for neither. null means that there was, or
 * is, no price.
 */
export const PriceHistoryEntry = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  key: z.string(),
  name: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** Whether the built-in price was, or is, in force. */
  before_built_in: z._default(z.boolean(), false),
  after_built_in: z._default(z.boolean(), false),
});
export type PriceHistoryEntry = z.infer<typeof PriceHistoryEntry>;

/** Data of `GET /api/option/price_history` (administrators); pages count from 1. */
export const PriceHistoryPage = pageSchema(PriceHistoryEntry);

/** The query, besides `p` and `page_size`; `name` is a part of a model's or group's name. */
export const PriceHistoryFilter = z.object({
  name: queryText,
  key: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
});
