import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ChatCall } from "../calls/chat-call.ts";
import type { Limit } from "./account-client.ts";

const isExempt = (call: ChatCall, options: OptionsInForce): boolean =>
  options.flag("global.rate_limit_exempt_enabled") && call.group === options.text("global.rate_limit_exempt_group");

function tokenLimits(call: ChatCall): Limit[] {
  const { token } = call.admitted.caller.known;
  if (!token.rateLimitEnabled || token.rateLimitPeriod <= 0) return [];
  const periodMs = token.rateLimitPeriod * 1000;
  const limits: Limit[] = [];
  if (token.rateLimitCount > 0)
    limits.push({ name: `t${token.id}`, max: token.rateLimitCount, periodMs, counts: "starts" });
  if (token.rateLimitSuccess > 0)
    limits.push({ name: `ts${token.id}`, max: token.rateLimitSuccess, periodMs, counts: "successes" });
  return limits;
}

/** Per group: [total, successes], over the site's two figures. */
function modelLimits(call: ChatCall, options: OptionsInForce): Limit[] {
  if (!options.flag("ModelRequestRateLimitEnabled")) return [];
  const periodMs = options.number("ModelRequestRateLimitDurationMinutes") * 60_000;
  if (periodMs <= 0) return [];
  const ofGroup = options.json<Record<string, readonly [number, number]>>("ModelRequestRateLimitGroup")[call.group];
  const [total, successes] = ofGroup ?? [
    options.number("ModelRequestRateLimitCount"),
    options.number("ModelRequestRateLimitSuccessCount"),
  ];
  const limits: Limit[] = [];
  if (total > 0) limits.push({ name: "m", max: total, periodMs, counts: "starts" });
  if (successes > 0) limits.push({ name: "ms", max: successes, periodMs, counts: "successes" });
  return limits;
}

/** The request limits that apply to a call: its token's own and the site's for each user; none for the exempt group. */
export const limitsOf = (call: ChatCall, options: OptionsInForce): Limit[] =>
  isExempt(call, options) ? [] : [...tokenLimits(call), ...modelLimits(call, options)];
