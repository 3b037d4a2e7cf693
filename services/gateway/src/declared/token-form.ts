import type { Token, TokenCreateBody } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import type { DeclaredToken } from "./file-schema.ts";
import { parseJson } from "./values.ts";

const toJsonText = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));
const toSeconds = (time: string | undefined): number =>
  time === undefined ? -1 : Math.floor(Date.parse(time) / 1_000);

/**
 * The form of `/api`. `remaining` is what an existing token has left and `used` what it has spent: a declared quota is for
 * the token's whole life.
 */
export const toTokenBody = (
  token: DeclaredToken,
  { remaining, used }: { readonly remaining: number; readonly used: number } = { remaining: 0, used: 0 },
): TokenCreateBody => ({
  name: token.name,
  expired_time: toSeconds(token.expires_at),
  unlimited_quota: token.quota === undefined && token.budget === undefined,
  remain_quota: token.quota === undefined ? remaining : Math.max(0, token.quota - used),
  budget_period: token.budget?.period ?? "",
  period_quota: token.budget?.quota ?? 0,
  model_limits_enabled: token.models !== undefined,
  model_limits: (token.models ?? []).join(","),
  allow_ips: token.allow_ips.join("\n"),
  group: token.group,
  rate_limit_enabled: token.rate_limit !== undefined,
  ...(token.rate_limit
    ? {
        rate_limit_period: token.rate_limit.seconds,
        rate_limit_count: token.rate_limit.calls,
        rate_limit_success: token.rate_limit.successful_calls,
      }
    : {}),
  tokens_per_minute: token.tokens_per_minute,
  concurrent_calls: token.concurrent_calls,
  response_cache: token.response_cache,
  model_aliases: toJsonText(token.model_aliases),
  model_fallbacks: toJsonText(token.model_fallbacks),
  fallback_causes: toJsonText(token.fallback_causes),
});

const getBudget = ({ budget_period: period, period_quota: quota }: Token): DeclaredToken["budget"] =>
  period === "day" || period === "week" || period === "month" ? { period, quota } : undefined;

const splitParts = (text: string, separator: string): string[] => text.split(separator).filter((part) => part !== "");

/** A token of the site as a file declares it, without its key. One that expired or is used up counts as enabled. */
export function toDeclaredToken(token: Token): Omit<DeclaredToken, "key"> {
  const budget = getBudget(token);
  const isLimited = !token.unlimited_quota && budget === undefined;
  return {
    name: token.name,
    status: token.status === TOKEN_STATUS.disabled ? "disabled" : "enabled",
    expires_at: token.expired_time <= 0 ? undefined : new Date(token.expired_time * 1_000).toISOString(),
    quota: isLimited ? token.remain_quota + token.used_quota : undefined,
    budget,
    models: token.model_limits_enabled ? splitParts(token.model_limits, ",") : undefined,
    allow_ips: splitParts(token.allow_ips, "\n"),
    group: token.group,
    rate_limit: token.rate_limit_enabled
      ? {
          seconds: token.rate_limit_period,
          calls: token.rate_limit_count,
          successful_calls: token.rate_limit_success,
        }
      : undefined,
    tokens_per_minute: token.tokens_per_minute,
    concurrent_calls: token.concurrent_calls,
    response_cache: token.response_cache,
    model_aliases: parseJson(token.model_aliases) as DeclaredToken["model_aliases"],
    model_fallbacks: parseJson(token.model_fallbacks) as DeclaredToken["model_fallbacks"],
    fallback_causes: parseJson(token.fallback_causes) as DeclaredToken["fallback_causes"],
  };
}
