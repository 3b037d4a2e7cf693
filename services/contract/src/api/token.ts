import { z } from "zod";
import { QUOTA_PER_UNIT_DEFAULT } from "../pricing/price-unit.ts";
import { pageOf, queryFlag, queryNumber, queryText, wholeNumber } from "./common.ts";

/** One API token of the user. `key` has no sk- prefix and is "" where the site hides keys. */
export const Token = z.object({
  id: z.int(),
  user_id: z.int(),
  key: z.string(),
  name: z.string(),
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: z.int(),
  created_time: z.int(),
  /** 0 before the first call. */
  accessed_time: z.int(),
  /** Unix seconds, -1 never. */
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  used_quota: z.int(),
  model_limits_enabled: z.boolean(),
  /** Comma list. */
  model_limits: z.string(),
  /** One address or CIDR a line. */
  allow_ips: z.string(),
  /** "" is the user's own group. */
  group: z.string(),
  rate_limit_enabled: z.boolean(),
  rate_limit_period: z.int(),
  rate_limit_count: z.int(),
  rate_limit_success: z.int(),
  /** day, week, month (in UTC): afterwards the remaining quota is `period_quota` again; "" for never. */
  budget_period: z.string().default(""),
  period_quota: z.int().default(0),
  /** Unix seconds of the next reset, 0 for none. */
  budget_resets_at: z.int().default(0),
  /** 0 is no limit. */
  tokens_per_minute: z.int().default(0),
  /** Concurrent calls, 0 is no limit. */
  concurrent_calls: z.int().default(0),
  /** The same call with temperature 0 may be served from the site's response cache, where that is on. */
  response_cache: z.boolean().default(false),
});
export type Token = z.infer<typeof Token>;

/** Data of `GET /api/token/?paged=true` and `/api/token/search?paged=true`; pages count from 0. */
export const TokenPage = pageOf(Token);

/** Query of the token lists, beside `p` and `size`. */
export const TokenFilter = z.object({ keyword: queryText, token: queryText, paged: queryFlag });

/** Body of `POST /api/token/`; omitted fields have the specified default. */
export const TokenCreateBody = z.object({
  name: z.string().trim().default(""),
  expired_time: wholeNumber.default(-1),
  remain_quota: wholeNumber.default(QUOTA_PER_UNIT_DEFAULT),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: z.string().default(""),
  allow_ips: z
    .string()
    .nullish()
    .transform((value) => value ?? ""),
  group: z.string().trim().default(""),
  rate_limit_enabled: z.boolean().default(false),
  rate_limit_period: wholeNumber.default(60),
  rate_limit_count: wholeNumber.default(1000),
  rate_limit_success: wholeNumber.default(10),
  budget_period: z.string().trim().default(""),
  /** The quota at the start of a period; 0 is `remain_quota`. */
  period_quota: wholeNumber.default(0),
  tokens_per_minute: wholeNumber.default(0),
  concurrent_calls: wholeNumber.default(0),
  /** Omitted: unchanged; false for a new token. */
  response_cache: z.boolean().optional(),
});
export type TokenCreateBody = z.input<typeof TokenCreateBody>;

/** Body of `PUT /api/token/`: the whole form. */
export const TokenUpdateBody = TokenCreateBody.extend({ id: wholeNumber });
export type TokenUpdateBody = z.input<typeof TokenUpdateBody>;

/** Query of `GET /api/token/{id}/usage`: unix seconds, at most 31 days; none is the last seven. */
export const TokenUsageQuery = z.object({ start_timestamp: queryNumber, end_timestamp: queryNumber });

/** Data of `GET /api/token/{id}/usage`: the token's usage, by UTC day and model. */
export const TokenUsage = z.object({
  quota: z.int(),
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
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** Body of `PUT /api/token/?status_only=true`. */
export const TokenStatusBody = z.object({ id: wholeNumber, status: wholeNumber });

/** Data of `POST /api/token/`: the new token's id and its key (without sk-), which may be shown only now. */
export const CreatedToken = z.object({ id: z.int(), key: z.string() });
export type CreatedToken = z.infer<typeof CreatedToken>;
