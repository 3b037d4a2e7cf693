import type { BudgetPeriod } from "../../../services/billing/src/tokens/budget-period.ts";
import { type Dollars, readDollars } from "./dollars.ts";
import type { LiteLlmRow } from "./litellm-source.ts";
import { readTime } from "./postgres-values.ts";

/** A budget of LiteLLM: `max` undefined for none, `duration` as written ("30d"), "" for a budget that never resets. */
export type Budget = {
  readonly max: Dollars | undefined;
  readonly spent: Dollars;
  readonly duration: string;
  /** undefined for a duration without an equal period here, and without a duration. */
  readonly period: BudgetPeriod | undefined;
  /** Seconds since 1970. */
  readonly resetAt: number | undefined;
};

/** Limits a minute and of calls at once; undefined for none. */
export type Limits = {
  readonly tokens: number | undefined;
  readonly requests: number | undefined;
  readonly parallel: number | undefined;
};

/**
 * Durations that LiteLLM resets when a period here ends (`get_next_standardized_reset_time` in
 * litellm_core_utils/duration_parser.py of litellm 1.110.2): at midnight, on Mondays and on the first of a month, in UTC unless its
 * settings `timezone` and `budget_reset_time` differ.
 */
const PERIODS: Readonly<Record<string, BudgetPeriod>> = {
  "1d": "day",
  "24h": "day",
  daily: "day",
  "7d": "week",
  "1w": "week",
  weekly: "week",
  "30d": "month",
  "1mo": "month",
  monthly: "month",
};

/**
 * Reads the budget of a key, user or team; each field that the row does not have comes from its row of the budget table (`__init__` of
 * LiteLLM_VerificationTokenView in types/proxy/auth/user_api_key_auth.py). A key without a duration of its own resets with that row
 * (proxy/common_utils/reset_budget_job.py), also where its amount is its own.
 */
export function readBudget(row: LiteLlmRow, shared: LiteLlmRow = {}): Budget {
  const source = row["budget_duration"] ? row : shared;
  const duration = (source["budget_duration"] ?? "").trim().toLowerCase();
  return {
    max: readDollars(row["max_budget"]) ?? readDollars(shared["max_budget"]),
    spent: readDollars(row["spend"]) ?? 0n,
    duration,
    period: Object.hasOwn(PERIODS, duration) ? PERIODS[duration] : undefined,
    resetAt: readTime(source["budget_reset_at"]),
  };
}

function readLimit(...cells: readonly (string | null | undefined)[]): number | undefined {
  const text = cells.find((cell) => cell !== null && cell !== undefined && cell !== "");
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export const readLimits = (row: LiteLlmRow, shared: LiteLlmRow = {}): Limits => ({
  tokens: readLimit(row["tpm_limit"], shared["tpm_limit"]),
  requests: readLimit(row["rpm_limit"], shared["rpm_limit"]),
  parallel: readLimit(row["max_parallel_requests"], shared["max_parallel_requests"]),
});

const lowest = (...limits: readonly (number | undefined)[]): number | undefined => {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** The stricter of the limits of a key and of its owner. */
export const joinLimits = (one: Limits, other: Limits): Limits => ({
  tokens: lowest(one.tokens, other.tokens),
  requests: lowest(one.requests, other.requests),
  parallel: lowest(one.parallel, other.parallel),
});

export const hasLimits = ({ tokens, requests, parallel }: Limits): boolean =>
  tokens !== undefined || requests !== undefined || parallel !== undefined;
/** A limit of 0 refuses every call. */
export const isClosed = ({ tokens, requests, parallel }: Limits): boolean =>
  tokens === 0 || requests === 0 || parallel === 0;
