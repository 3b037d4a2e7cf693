import type { CreatedToken, Token, TokenUsage } from "@turnpike/contract/api/token";
import type { UserGroups } from "@turnpike/contract/api/user";
import { type Check, isFlag, isListOf, isMapOf, isNumber, isObjectOf, isText } from "../../lib/check.ts";

export const isToken = isObjectOf<Token>({
  id: isNumber,
  user_id: isNumber,
  key: isText,
  name: isText,
  status: isNumber,
  created_time: isNumber,
  accessed_time: isNumber,
  expired_time: isNumber,
  remain_quota: isNumber,
  unlimited_quota: isFlag,
  used_quota: isNumber,
  model_limits_enabled: isFlag,
  model_limits: isText,
  allow_ips: isText,
  group: isText,
  rate_limit_enabled: isFlag,
  rate_limit_period: isNumber,
  rate_limit_count: isNumber,
  rate_limit_success: isNumber,
  budget_period: isText,
  period_quota: isNumber,
  budget_resets_at: isNumber,
  tokens_per_minute: isNumber,
  concurrent_calls: isNumber,
  response_cache: isFlag,
});

export const isTokenUsage = isObjectOf<TokenUsage>({
  quota: isNumber,
  uses: isListOf(
    isObjectOf<TokenUsage["uses"][number]>({
      day: isText,
      model_name: isText,
      request_count: isNumber,
      prompt_tokens: isNumber,
      completion_tokens: isNumber,
      quota: isNumber,
    }),
  ),
});

export const isCreatedToken = isObjectOf<CreatedToken>({ id: isNumber, key: isText });

export const isUserGroups: Check<UserGroups> = isMapOf(
  isObjectOf<UserGroups[string]>({ desc: isText, ratio: isNumber }),
);
