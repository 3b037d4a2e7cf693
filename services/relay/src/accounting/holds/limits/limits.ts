import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import type { Limit } from "./limit-arguments.ts";
import { SLOT_LEASE_MS } from "./concurrency-slots.ts";

const MINUTE_MS = 60_000;

/** The fields of a call that its limits depend on. */
type LimitedCall = Pick<RelayCall, "admitted" | "group">;

const isExempt = (call: LimitedCall, options: OptionsInForce): boolean =>
  options.flag("global.rate_limit_exempt_enabled") && call.group === options.text("global.rate_limit_exempt_group");

function tokenLimits(call: LimitedCall, guessedTokens: number): Limit[] {
  const { token } = call.admitted.caller.known;
  const limits: Limit[] = [];
  if (token.concurrentCalls > 0)
    limits.push({ name: `c${token.id}`, max: token.concurrentCalls, periodMs: SLOT_LEASE_MS, counts: "running" });
  if (token.tokensPerMinute > 0) {
    limits.push({
      name: `n${token.id}`,
      max: token.tokensPerMinute,
      periodMs: MINUTE_MS,
      counts: "tokens",
      guessedTokens,
    });
  }
  if (!token.rateLimitEnabled || token.rateLimitPeriod <= 0) return limits;
  const periodMs = token.rateLimitPeriod * 1000;
  if (token.rateLimitCount > 0)
    limits.push({ name: `t${token.id}`, max: token.rateLimitCount, periodMs, counts: "starts" });
  if (token.rateLimitSuccess > 0)
    limits.push({ name: `p${token.id}`, max: token.rateLimitSuccess, periodMs, counts: "successes" });
  return limits;
}

/** Playground calls use no token. */
const isPlayground = ({ admitted }: LimitedCall): boolean => admitted.caller.known.token.id === 0;

/** Per group: [total, successes], overriding the site's two values. */
function modelLimits(call: LimitedCall, options: OptionsInForce): Limit[] {
  if (isPlayground(call) || !options.flag("ModelRequestRateLimitEnabled")) return [];
  const periodMs = options.number("ModelRequestRateLimitDurationMinutes") * MINUTE_MS;
  if (periodMs <= 0) return [];
  const ofGroup = options.json<Record<string, readonly [number, number]>>("ModelRequestRateLimitGroup")[call.group];
  const [total, successes] = ofGroup ?? [
    options.number("ModelRequestRateLimitCount"),
    options.number("ModelRequestRateLimitSuccessCount"),
  ];
  const limits: Limit[] = [];
  if (total > 0) limits.push({ name: "m", max: total, periodMs, counts: "starts" });
  if (successes > 0) limits.push({ name: "mp", max: successes, periodMs, counts: "successes" });
  return limits;
}

/**
 * The limits that apply to a call, with its token estimate until it is settled: the token's own limits and the site's
 * per user; none for the exempt group.
 */
export const getLimits = (call: LimitedCall, options: OptionsInForce, guessedTokens: number): Limit[] =>
  isExempt(call, options) ? [] : [...tokenLimits(call, guessedTokens), ...modelLimits(call, options)];
