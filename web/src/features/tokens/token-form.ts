import type { UseFormReturn } from "react-hook-form";
import type { Token, TokenCreateBody, TokenUpdateBody } from "@turnpike/contract/api/token";
import { FALLBACK_CAUSES } from "@turnpike/contract/options/model-routes";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { z } from "zod/mini";
import { text } from "../../lib/text/i18n-source.ts";
import { joinCommaList, splitCommaList } from "../../lib/text/comma-list.ts";
import { findInvalidAddress } from "./address-lines.ts";
import { findRouteProblems, toCauses, toRouteJson, toRouteLines } from "./model-route-lines.ts";

const NAME_LENGTH_MAX = 30;
const COUNT_MAX = 100;
const SUFFIX_WITH_DASH_LENGTH = 7;
const TOKENS_PER_MINUTE_MAX = 1_000_000_000;
const CONCURRENT_CALLS_MAX = 10_000;

const count = (least: number) =>
  z
    .number(text("请输入数字"))
    .check(
      z.refine(Number.isSafeInteger, text("必须是整数")),
      z.gte(least, least === 0 ? text("不能为负数") : text("必须是正整数")),
    );

/** The token editor's fields; amounts are quota units, the expiry unix seconds. */
export const TokenForm = z
  .object({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, text("请输入令牌名称")),
        z.maxLength(NAME_LENGTH_MAX, text("名称最多 30 个字符")),
      ),
    count: count(1).check(z.lte(COUNT_MAX, text("一次最多创建 100 个"))),
    group: z.string(),
    neverExpires: z.boolean(),
    expiresAtSeconds: z.optional(z.number()),
    unlimitedQuota: z.boolean(),
    remainQuota: z.number(text("请输入数字")).check(z.refine(Number.isSafeInteger, text("必须是整数"))),
    budgetPeriod: z.enum(["", "day", "week", "month"]),
    periodQuota: z.number(text("请输入数字")).check(z.refine(Number.isSafeInteger, text("必须是整数"))),
    modelLimitsEnabled: z.boolean(),
    modelLimits: z.array(z.string()),
    allowIps: z.string(),
    rateLimitEnabled: z.boolean(),
    rateLimitPeriod: count(1),
    rateLimitCount: count(0),
    rateLimitSuccess: count(0),
    tokensPerMinute: count(0).check(z.lte(TOKENS_PER_MINUTE_MAX, text("最多 1000000000"))),
    responseCache: z.boolean(),
    modelAliases: z.string(),
    modelFallbacks: z.string(),
    fallbackCauses: z.array(z.enum(FALLBACK_CAUSES)),
    concurrentCalls: count(0).check(z.lte(CONCURRENT_CALLS_MAX, text("最多 10000"))),
  })
  .check(({ value, issues }) => {
    const refuse = (path: keyof typeof value, message: string): void => {
      issues.push({ code: "custom", path: [path], message, input: value[path] });
    };
    if (!value.neverExpires && value.expiresAtSeconds === undefined)
      refuse("expiresAtSeconds", text("过期时间格式错误！"));
    if (!value.unlimitedQuota && value.remainQuota < 0) refuse("remainQuota", text("额度不能为负数"));
    if (!value.unlimitedQuota && value.budgetPeriod !== "" && value.periodQuota < 1) {
      refuse("periodQuota", text("每个周期的额度必须大于 0"));
    }
    for (const [path, problem] of findRouteProblems(value)) refuse(path, problem);
    const wrongLine = findInvalidAddress(value.allowIps);
    if (wrongLine !== undefined) refuse("allowIps", text("只能填写 IP 或 CIDR，每行一个"));
    if (value.modelLimitsEnabled && value.modelLimits.length === 0) {
      refuse("modelLimits", text("请至少选择一个模型，或关闭模型限制"));
    }
    if (value.count > 1 && value.name.length > NAME_LENGTH_MAX - SUFFIX_WITH_DASH_LENGTH) {
      refuse("name", text("创建多个时名称最多 23 个字符，其余的会加上随机后缀"));
    }
  });
export type TokenValues = z.infer<typeof TokenForm>;

/** The form of a token, as its fields get it. */
export type TokenFormReturn = UseFormReturn<TokenValues>;

export const NEW_TOKEN: TokenValues = {
  name: "",
  count: 1,
  group: "",
  neverExpires: true,
  expiresAtSeconds: undefined,
  unlimitedQuota: false,
  remainQuota: QUOTA_PER_UNIT_DEFAULT,
  budgetPeriod: "",
  periodQuota: QUOTA_PER_UNIT_DEFAULT,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 60,
  rateLimitCount: 1000,
  rateLimitSuccess: 10,
  tokensPerMinute: 0,
  concurrentCalls: 0,
  responseCache: false,
  modelAliases: "",
  modelFallbacks: "",
  fallbackCauses: [],
};

const readPeriod = (period: string): TokenValues["budgetPeriod"] =>
  period === "day" || period === "week" || period === "month" ? period : "";

/** A stored token in the form. */
export const toFormValues = (token: Token): TokenValues => ({
  name: token.name,
  count: 1,
  group: token.group,
  neverExpires: token.expired_time === -1,
  expiresAtSeconds: token.expired_time === -1 ? undefined : token.expired_time,
  unlimitedQuota: token.unlimited_quota,
  remainQuota: token.remain_quota,
  budgetPeriod: readPeriod(token.budget_period),
  periodQuota: token.period_quota > 0 ? token.period_quota : Math.max(1, token.remain_quota),
  modelLimitsEnabled: token.model_limits_enabled,
  modelLimits: splitCommaList(token.model_limits),
  allowIps: token.allow_ips,
  rateLimitEnabled: token.rate_limit_enabled,
  rateLimitPeriod: token.rate_limit_period,
  rateLimitCount: token.rate_limit_count,
  rateLimitSuccess: token.rate_limit_success,
  tokensPerMinute: token.tokens_per_minute,
  concurrentCalls: token.concurrent_calls,
  responseCache: token.response_cache,
  modelAliases: toRouteLines(token.model_aliases),
  modelFallbacks: toRouteLines(token.model_fallbacks),
  fallbackCauses: toCauses(token.fallback_causes),
});

/**
 * An edit in wire format. The quota is sent as what was added to it in the form, which was filled with `remainQuota`: what calls spent
 * since then stays spent.
 */
export function toUpdateBody(
  values: TokenValues,
  { id, remainQuota, actionId }: { readonly id: number; readonly remainQuota: number; readonly actionId: string },
): TokenUpdateBody {
  const { remain_quota: _remaining, ...rest } = toRequestBody(values, values.name);
  const change = values.remainQuota - remainQuota;
  return { ...rest, id, quota_change: change, action_id: `${actionId}:${change}` };
}

/** The form in wire format. */
export const toRequestBody = (values: TokenValues, name: string): TokenCreateBody => ({
  name,
  expired_time: values.neverExpires ? -1 : (values.expiresAtSeconds ?? -1),
  remain_quota: values.remainQuota,
  unlimited_quota: values.unlimitedQuota,
  model_limits_enabled: values.modelLimitsEnabled,
  model_limits: joinCommaList(values.modelLimits),
  allow_ips: values.allowIps.trim(),
  group: values.group,
  rate_limit_enabled: values.rateLimitEnabled,
  rate_limit_period: values.rateLimitPeriod,
  rate_limit_count: values.rateLimitCount,
  rate_limit_success: values.rateLimitSuccess,
  // Only a limited quota can have a recurring budget.
  budget_period: values.unlimitedQuota ? "" : values.budgetPeriod,
  period_quota: values.unlimitedQuota || values.budgetPeriod === "" ? 0 : values.periodQuota,
  tokens_per_minute: values.tokensPerMinute,
  concurrent_calls: values.concurrentCalls,
  response_cache: values.responseCache,
  model_aliases: toRouteJson("ModelAliases", values.modelAliases),
  model_fallbacks: toRouteJson("ModelFallbacks", values.modelFallbacks),
  fallback_causes: values.fallbackCauses.length === 0 ? "" : JSON.stringify(values.fallbackCauses),
});
