import { z } from "zod/mini";
import { QUOTA_PER_UNIT_DEFAULT } from "../pricing/dollars.ts";
import { pageSchema, queryFlag, queryNumber, queryText, integer } from "./common.ts";

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
  /** Comma-separated. */
  model_limits: z.string(),
  /** One address or CIDR per line. */
  allow_ips: z.string(),
  /** "" is the user's own group. */
  group: z.string(),
  rate_limit_enabled: z.boolean(),
  rate_limit_period: z.int(),
  rate_limit_count: z.int(),
  rate_limit_success: z.int(),
  /**
   * day, week, month (in UTC): at the end of each period the remaining quota is set to `period_quota`; "" for never.
   */
  budget_period: z._default(z.string(), ""),
  period_quota: z._default(z.int(), 0),
  /** Unix seconds of the next reset, 0 for none. */
  budget_resets_at: z._default(z.int(), 0),
  /** 0 is no limit. */
  tokens_per_minute: z._default(z.int(), 0),
  /** Concurrent calls, 0 is no limit. */
  concurrent_calls: z._default(z.int(), 0),
  /** A repeated call with temperature 0 may be served from the site's response cache, where the cache is on. */
  response_cache: z._default(z.boolean(), false),
  /** JSON of the options ModelAliases, ModelFallbacks and FallbackCauses, for this token, before the site's; "" for none. */
  model_aliases: z._default(z.string(), ""),
  model_fallbacks: z._default(z.string(), ""),
  fallback_causes: z._default(z.string(), ""),
});
export type Token = z.infer<typeof Token>;

/** Data of `GET /api/token/?paged=true` and `/api/token/search?paged=true`; pages count from 0. */
export const TokenPage = pageSchema(Token);

/** Query of the token lists, besides `p` and `size`. */
export const TokenFilter = z.object({ keyword: queryText, token: queryText, paged: queryFlag });

/** Body of `POST /api/token/`; omitted fields have the specified default. */
export const TokenCreateBody = z.object({
  name: z._default(z.string().check(z.trim()), ""),
  expired_time: z._default(integer, -1),
  remain_quota: z._default(integer, QUOTA_PER_UNIT_DEFAULT),
  unlimited_quota: z._default(z.boolean(), false),
  model_limits_enabled: z._default(z.boolean(), false),
  model_limits: z._default(z.string(), ""),
  allow_ips: z.pipe(
    z.nullish(z.string()),
    z.transform((value) => value ?? ""),
  ),
  group: z._default(z.string().check(z.trim()), ""),
  rate_limit_enabled: z._default(z.boolean(), false),
  rate_limit_period: z._default(integer, 60),
  rate_limit_count: z._default(integer, 1000),
  rate_limit_success: z._default(integer, 10),
  budget_period: z._default(z.string().check(z.trim()), ""),
  /** The quota at the start of a period; 0 is `remain_quota`. */
  period_quota: z._default(integer, 0),
  tokens_per_minute: z._default(integer, 0),
  concurrent_calls: z._default(integer, 0),
  /** Absent: unchanged; false for a new token. */
  response_cache: z.optional(z.boolean()),
  /** JSON texts; absent: unchanged, none for a new token; "" removes them. */
  model_aliases: z.optional(z.string()),
  model_fallbacks: z.optional(z.string()),
  fallback_causes: z.optional(z.string()),
});
export type TokenCreateBody = z.input<typeof TokenCreateBody>;

/**
 * Body of `PUT /api/token/`: the whole form. `quota_change` is added to the remaining quota in place of setting it, so that what is
 * spent meanwhile stays spent; below 0 it is deducted, and refused where less is left. A repeat with the same `action_id` adds nothing.
 */
export const TokenUpdateBody = z.extend(TokenCreateBody, {
  id: integer,
  quota_change: z.optional(integer),
  action_id: z.optional(z.string().check(z.trim(), z.maxLength(64))),
});
export type TokenUpdateBody = z.input<typeof TokenUpdateBody>;

/** Query of `GET /api/token/{id}/usage`: unix seconds, at most 31 days; the default is the last seven days. */
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
export const TokenStatusBody = z.object({ id: integer, status: integer });

/** Data of `POST /api/token/`: the new token's id and its key (without sk-), which may be shown only now. */
export const CreatedToken = z.object({ id: z.int(), key: z.string() });
export type CreatedToken = z.infer<typeof CreatedToken>;
