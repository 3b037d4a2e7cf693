import { z } from "zod/mini";
import { queryNumber, queryText } from "../common.ts";

/** Longest range of the margins, in seconds. */
export const MARGIN_RANGE_SECONDS_MAX = 366 * 86_400;

/** What margins are summed by. */
export const MARGIN_DIMENSIONS = ["channel", "model", "group", "user", "day"] as const;
export type MarginDimension = (typeof MARGIN_DIMENSIONS)[number];

/**
 * What calls were charged and what upstreams charge for them, in quota units. The cost of `known_count` of the `count` calls is known:
 * `known_quota` is what those were charged, less refunds, and `margin` is `known_quota - cost`.
 */
export const Margin = z.object({
  /** The id of the channel (0 for none) or the user, the model, the group, or the start of the UTC day. */
  key: z.string(),
  /** The name of the channel or the user. */
  name: z.string(),
  count: z.int(),
  quota: z.int(),
  refunded: z.int(),
  known_count: z.int(),
  known_quota: z.int(),
  cost: z.int(),
  margin: z.int(),
});
export type Margin = z.infer<typeof Margin>;

/**
 * Data of `GET /api/data/margin` (administrators): whole UTC days from `first_day` on, the lowest margin first, days the oldest first.
 * `total` includes the rows beyond the limit.
 */
export const Margins = z.object({ first_day: z.int(), rows: z.array(Margin), total: Margin, row_count: z.int() });
export type Margins = z.infer<typeof Margins>;

/** Query of `GET /api/data/margin` and `/api/data/margin/export`, whose file is in the language `lang` (zh, en). */
export const MarginQuery = z.object({
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  by: z._default(z.enum(MARGIN_DIMENSIONS), "channel"),
  lang: queryText,
});
