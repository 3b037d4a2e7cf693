import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ChatCall } from "../calls/chat-call.ts";
import type { Wish } from "./choose.ts";
import { conversationOf } from "./conversation.ts";

/** What the site's options make of a call's choice of channel. */
export function wishOf(call: ChatCall, options: OptionsInForce): Wish {
  const isSticky = options.flag("StickyRoutingEnabled");
  const byLatency = options.flag("LatencyRoutingEnabled");
  if (!isSticky && !byLatency) return { model: call.model };
  return {
    model: call.model,
    ...(isSticky ? { conversation: conversationOf(call) } : {}),
    ...(byLatency ? { lane: `${call.model} ${call.stream ? "stream" : "whole"}` } : {}),
  };
}

/**
 * May a failed call be tried once more, by the clock? A second channel always is: one attempt without any answer can last longer than
 * the budget, and the caller is still there.
 */
export function hasTimeToRetry(call: ChatCall, options: OptionsInForce, nowMs: number): boolean {
  const seconds = options.number("RetryBudgetSeconds");
  return seconds === 0 || call.tried.length < 2 || nowMs - call.startedAtMs < seconds * 1000;
}
