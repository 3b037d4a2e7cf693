import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../core/call/relay-call.ts";
import type { RoutingPreferences } from "./channel-chooser.ts";
import { getSessionAffinityKey } from "./session-affinity.ts";

/** What the site's options make of a call's choice of channel. */
export function getRoutingPreferences(call: RelayCall, options: OptionsInForce): RoutingPreferences {
  const isSticky = options.flag("StickyRoutingEnabled");
  const byLatency = options.flag("LatencyRoutingEnabled");
  if (!isSticky && !byLatency) return { model: call.model };
  return {
    model: call.model,
    ...(isSticky ? { conversation: getSessionAffinityKey(call) } : {}),
    ...(byLatency ? { latencyKey: `${call.model} ${call.stream ? "stream" : "whole"}` } : {}),
  };
}

/**
 * May a failed call be tried once more, by the clock? A second channel always is: one attempt without any answer can last longer than
 * the budget, and the caller is still there.
 */
export function hasTimeToRetry(call: RelayCall, options: OptionsInForce, nowMs: number): boolean {
  const seconds = options.number("RetryBudgetSeconds");
  return seconds === 0 || call.tried.length < 2 || nowMs - call.startedAtMs < seconds * 1000;
}
