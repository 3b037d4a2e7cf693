import { z } from "zod/mini";
import { pageSchema, queryText, integer } from "./common.ts";

/** Status of a redemption code. */
export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const;
export const REDEMPTION_COUNT_MAX = 100;
export const REDEMPTION_NAME_LENGTH_MAX = 20;

/** One redemption or gift code. Times are unix seconds, 0 for none; `max_uses` -1 is unlimited. */
export const Redemption = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  status: z.int(),
  quota: z.int(),
  created_time: z.int(),
  redeemed_time: z.int(),
  used_user_id: z.int(),
  is_gift: z.boolean(),
  max_uses: z.int(),
  used_count: z.int(),
  valid_from: z.int(),
  valid_until: z.int(),
});
export type Redemption = z.infer<typeof Redemption>;

/** Data of `GET /api/redemption/` and `/api/redemption/search`; pages count from 0. */
export const RedemptionPage = pageSchema(Redemption);

/** Query of `GET /api/redemption/search`, besides `p` and `page_size`. */
export const RedemptionFilter = z.object({ keyword: queryText });

/** Body of `POST /api/redemption/`; the response's data is the list of keys. A custom key creates one code. */
export const RedemptionCreateBody = z.object({
  name: z._default(z.string().check(z.trim()), ""),
  quota: integer,
  count: z._default(integer, 1),
  key: z._default(z.string().check(z.trim()), ""),
  is_gift: z._default(z.boolean(), false),
  max_uses: z._default(integer, -1),
  valid_from: z._default(integer, 0),
  valid_until: z._default(integer, 0),
});
export type RedemptionCreateBody = z.input<typeof RedemptionCreateBody>;

/** Body of `PUT /api/redemption/`. */
export const RedemptionUpdateBody = z.object({
  id: integer,
  name: z._default(z.string().check(z.trim()), ""),
  quota: integer,
  valid_from: z._default(integer, 0),
  valid_until: z._default(integer, 0),
});
export type RedemptionUpdateBody = z.input<typeof RedemptionUpdateBody>;

/** Body of `PUT /api/redemption/batch-disable`; the response's data is the number of codes disabled. */
export const RedemptionIdsBody = z.object({ ids: z._default(z.array(integer).check(z.maxLength(1_000)), []) });

/** Query of `GET /api/redemption/count-by-name` and `DELETE /api/redemption/delete-by-name`; their data is a number. */
export const RedemptionNameQuery = z.object({ name: queryText });

/** Body of `PUT /api/redemption/?status_only=true`. */
export const RedemptionStatusBody = z.object({ id: integer, status: integer });
