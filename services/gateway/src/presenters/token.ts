import type { Token, TokenCreateBody } from "@turnpike/contract/api/token";
import type { Token as StoredToken, TokenInput } from "@turnpike/proto/billing/v1/token_service";
import type { z } from "zod/mini";

type TokenForm = z.output<typeof TokenCreateBody>;

/** A token as its owner sees it. */
export const toToken = (token: StoredToken): Token => ({
  id: token.id,
  user_id: token.userId,
  key: token.key,
  name: token.name,
  status: token.status,
  created_time: token.createdTime,
  accessed_time: token.accessedTime,
  expired_time: token.expiredTime,
  remain_quota: token.remainQuota,
  unlimited_quota: token.unlimitedQuota,
  used_quota: token.usedQuota,
  model_limits_enabled: token.modelLimitsEnabled,
  model_limits: token.modelLimits,
  allow_ips: token.allowIps,
  group: token.group,
  rate_limit_enabled: token.rateLimitEnabled,
  rate_limit_period: token.rateLimitPeriod,
  rate_limit_count: token.rateLimitCount,
  rate_limit_success: token.rateLimitSuccess,
  budget_period: token.budgetPeriod,
  period_quota: token.periodQuota,
  budget_resets_at: token.budgetResetsAt,
  tokens_per_minute: token.tokensPerMinute,
  concurrent_calls: token.concurrentCalls,
  response_cache: token.responseCache ?? false,
  model_aliases: token.modelAliases ?? "",
  model_fallbacks: token.modelFallbacks ?? "",
  fallback_causes: token.fallbackCauses ?? "",
});

/** The form as billing takes it. */
export const toTokenInput = (form: TokenForm): TokenInput => ({
  name: form.name,
  expiredTime: form.expired_time,
  remainQuota: form.remain_quota,
  unlimitedQuota: form.unlimited_quota,
  modelLimitsEnabled: form.model_limits_enabled,
  modelLimits: form.model_limits,
  allowIps: form.allow_ips,
  group: form.group,
  rateLimitEnabled: form.rate_limit_enabled,
  rateLimitPeriod: form.rate_limit_period,
  rateLimitCount: form.rate_limit_count,
  rateLimitSuccess: form.rate_limit_success,
  budgetPeriod: form.budget_period,
  periodQuota: form.period_quota,
  tokensPerMinute: form.tokens_per_minute,
  concurrentCalls: form.concurrent_calls,
  responseCache: form.response_cache,
  modelAliases: form.model_aliases,
  modelFallbacks: form.model_fallbacks,
  fallbackCauses: form.fallback_causes,
});
