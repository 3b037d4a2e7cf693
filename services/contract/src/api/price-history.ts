import { z } from "zod";
import { pageOf, queryNumber, queryText } from "./common.ts";

/** One figure that an admin changed; `name` is the model or group, "" for neither. null where there was, or is, none. */
export const PriceChange = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  key: z.string(),
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type PriceChange = z.infer<typeof PriceChange>;

/** Data of `GET /api/option/price_history` (admin); pages count from 1. */
export const PriceChangePage = pageOf(PriceChange);

/** Its query, beside `p` and `page_size`; `name` is a part of a model's or group's name. */
export const PriceChangeFilter = z.object({
  name: queryText,
  key: queryText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
});
