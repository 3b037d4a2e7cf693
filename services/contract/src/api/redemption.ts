import { z } from "zod";
import { pageOf, queryText, wholeNumber } from "./common.ts";

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
export const RedemptionPage = pageOf(Redemption);

/** Query of `GET /api/redemption/search`, beside `p` and `page_size`. */
export const RedemptionFilter = z.object({ keyword: queryText });

/** Body of `POST /api/redemption/`; the response's data is the list of keys. A custom key creates one code. */
export const RedemptionCreateBody = z.object({
  name: z.string().trim().default(""),
  quota: wholeNumber,
  count: wholeNumber.default(1),
  key: z.string().trim().default(""),
  is_gift: z.boolean().default(false),
  max_uses: wholeNumber.default(-1),
  valid_from: wholeNumber.default(0),
  valid_until: wholeNumber.default(0),
});
export type RedemptionCreateBody = z.input<typeof RedemptionCreateBody>;

/** Body of `PUT /api/redemption/`. */
export const RedemptionUpdateBody = z.object({
  id: wholeNumber,
  name: z.string().trim().default(""),
  quota: wholeNumber,
  valid_from: wholeNumber.default(0),
  valid_until: wholeNumber.default(0),
});
export type RedemptionUpdateBody = z.input<typeof RedemptionUpdateBody>;

/** Body of `PUT /api/redemption/batch-disable`; the response's data is the number of codes disabled. */
export const RedemptionIdsBody = z.object({ ids: z.array(wholeNumber).max(1_000).default([]) });

/** Query of `GET /api/redemption/count-by-name` and `DELETE /api/redemption/delete-by-name`; their data is a number. */
export const RedemptionNameQuery = z.object({ name: queryText });

/** Body of `PUT /api/redemption/?status_only=true`. */
export const RedemptionStatusBody = z.object({ id: wholeNumber, status: wholeNumber });
