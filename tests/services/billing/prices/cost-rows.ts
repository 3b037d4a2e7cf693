import type { UsageRecord } from "@turnpike/shared/events/relay";
import { usage } from "../usage-records.ts";

const MODELS = ["gpt-5", "claude-sonnet-4-5", "gemini-2.5-pro", "a:b", 'quoted "model"'];
const GROUPS = ["default", "vip", "a:b"];
const DAY_SECONDS = 86_400;

/** A deterministic sequence (a linear congruential generator), so that a failure can be reproduced. */
export function createSequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/**
 * Calls of five users on seven days: a fifth without a known cost, some sold below cost, some free, some errors, some without a channel.
 */
export function mixedCalls(count: number, about: { readonly firstUser: number; readonly untilSeconds: number }) {
  const next = createSequence(4_711);
  return Array.from({ length: count }, (_, index): UsageRecord => {
    const channelId = next(10) === 0 ? 0 : next(6) + 1;
    const cost = next(5) === 0 ? {} : { cost: next(3) === 0 ? 0 : next(5_000), costSource: "catalogue" };
    const isError = next(20) === 0;
    return usage({
      requestId: `cost-${about.firstUser}-${index}`,
      type: isError ? 6 : 2,
      createdAtSeconds: about.untilSeconds - next(7 * DAY_SECONDS),
      userId: about.firstUser + next(5),
      channelId,
      channelName: channelId === 0 ? "" : `channel ${channelId}`,
      group: GROUPS[next(GROUPS.length)] ?? "",
      modelName: MODELS[next(MODELS.length)] ?? "",
      promptTokens: next(1_000),
      completionTokens: next(1_000),
      quota: isError ? 0 : next(8) === 0 ? 0 : next(4_000),
      ...(isError ? {} : cost),
    });
  });
}
