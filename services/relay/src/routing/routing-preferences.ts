import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../core/call/relay-call.ts";
import type { RoutingPreferences } from "./channel-chooser.ts";
import { getSessionAffinityKey } from "./session-affinity.ts";

/** A call's routing preferences from the site's options. */
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
 * Whether the time allows another retry of a failed call. A second channel is always tried: one attempt without any
 * response may take longer than the budget while the client is still connected.
 */
export function hasTimeToRetry(
  call: Pick<RelayCall, "tried" | "startedAtMs">,
  options: OptionsInForce,
  nowMs: number,
): boolean {
  const seconds = options.number("RetryBudgetSeconds");
  return seconds === 0 || call.tried.length < 2 || nowMs - call.startedAtMs < seconds * 1000;
}
