import { isIP } from "node:net";
import { splitTypedList } from "@turnpike/contract/texts/typed-text";
import type { TokenInput } from "@turnpike/proto/billing/v1/token_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { type BudgetPeriod, isBudgetPeriod } from "./budget-period.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import { type ModelRouteTexts, readModelRoutes } from "./token-model-routes.ts";

/** The user-set fields of a token, validated and in stored form; `remaining` is the intended remaining budget. */
export type TokenForm = Pick<
  TokenDoc,
  | "name"
  | "expiresAt"
  | "unlimited"
  | "modelLimitsEnabled"
  | "modelLimits"
  | "allowIps"
  | "group"
  | "rateLimitEnabled"
  | "rateLimitPeriod"
  | "rateLimitCount"
  | "rateLimitSuccess"
> & {
  readonly remaining: number;
  readonly budgetPeriod: BudgetPeriod | "";
  readonly periodQuota: number;
  readonly tokensPerMinute: number;
  readonly concurrentCalls: number;
  readonly responseCache?: boolean;
} & ModelRouteTexts;

const NAME_LENGTH_MAX = 30;
/** The largest quota of a token, and the largest change of it. */
export const QUOTA_MAX = 1e15;
const EXPIRY_MAX = 253_402_300_799;
const MODEL_LIMITS_LENGTH_MAX = 16_384;
const ALLOW_LINES_MAX = 500;
const GROUP_LENGTH_MAX = 64;
/** Each recorded request of a window uses memory in Redis. */
const RATE_COUNT_MAX = 100_000;
const TOKENS_PER_MINUTE_MAX = 1e9;
const CONCURRENT_CALLS_MAX = 10_000;
const RATE_PERIOD_SECONDS_MAX = 30 * 24 * 3600;

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", `invalid ${detail}`, { params: { detail } });

function readName(text: string): string {
  const name = text.trim();
  const length = Array.from(name).length;
  if (length === 0 || length > NAME_LENGTH_MAX)
    throw new AppError("token_name_invalid", `a name of ${length} characters`);
  return name;
}

function isAddressOrRange(line: string): boolean {
  const [address = "", prefix, ...rest] = line.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32);
}

function readAllowIps(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const wrong = lines.find((line) => !isAddressOrRange(line));
  if (wrong !== undefined)
    throw new AppError("allow_ips_invalid", "not an address or CIDR", { params: { line: wrong.slice(0, 100) } });
  if (lines.length > ALLOW_LINES_MAX) throw invalid("allow_ips");
  return lines.join("\n");
}

function readModelLimits(text: string): string {
  const limits = splitTypedList(text).join(",");
  if (limits.length > MODEL_LIMITS_LENGTH_MAX) throw invalid("model_limits");
  return limits;
}

function readRemaining(input: TokenInput): number {
  const { remainQuota, unlimitedQuota } = input;
  // The remaining budget of an unlimited token goes below zero with use, and the form submits it that way.
  if (!unlimitedQuota && remainQuota < 0) throw new AppError("token_quota_negative", `quota ${remainQuota}`);
  if (!Number.isSafeInteger(remainQuota) || Math.abs(remainQuota) > QUOTA_MAX) throw invalid("remain_quota");
  return remainQuota;
}

function within(value: number, least: number, most: number, name: string): number {
  if (!Number.isInteger(value) || value < least || value > most) throw invalid(name);
  return value;
}

/** A recurring budget; an unlimited token cannot have one. */
function readPeriod({ budgetPeriod, periodQuota, remainQuota, unlimitedQuota }: TokenInput) {
  const period = budgetPeriod.trim();
  if (period === "") return { budgetPeriod: "", periodQuota: 0 } as const;
  if (!isBudgetPeriod(period) || unlimitedQuota) throw invalid("budget_period");
  const quota = periodQuota === 0 ? remainQuota : periodQuota;
  if (!Number.isSafeInteger(quota) || quota < 1 || quota > QUOTA_MAX) throw invalid("period_quota");
  return { budgetPeriod: period, periodQuota: quota } as const;
}

/** Parses a token form; throws when a field is invalid. Access to the group is not checked here. */
export function readTokenForm(input: TokenInput): TokenForm {
  const group = input.group.trim();
  if (group.length > GROUP_LENGTH_MAX) throw invalid("group");
  return {
    name: readName(input.name),
    // 0 and -1 mean never.
    expiresAt: within(input.expiredTime, -1, EXPIRY_MAX, "expired_time") || -1,
    remaining: readRemaining(input),
    unlimited: input.unlimitedQuota,
    modelLimitsEnabled: input.modelLimitsEnabled,
    modelLimits: readModelLimits(input.modelLimits),
    allowIps: readAllowIps(input.allowIps),
    group,
    rateLimitEnabled: input.rateLimitEnabled,
    rateLimitPeriod: within(
      input.rateLimitPeriod,
      input.rateLimitEnabled ? 1 : 0,
      RATE_PERIOD_SECONDS_MAX,
      "rate_limit_period",
    ),
    rateLimitCount: within(input.rateLimitCount, 0, RATE_COUNT_MAX, "rate_limit_count"),
    rateLimitSuccess: within(input.rateLimitSuccess, 0, RATE_COUNT_MAX, "rate_limit_success"),
    ...readPeriod(input),
    tokensPerMinute: within(input.tokensPerMinute, 0, TOKENS_PER_MINUTE_MAX, "tokens_per_minute"),
    concurrentCalls: within(input.concurrentCalls, 0, CONCURRENT_CALLS_MAX, "concurrent_calls"),
    ...(input.responseCache === undefined ? {} : { responseCache: input.responseCache }),
    ...readModelRoutes(input),
  };
}
