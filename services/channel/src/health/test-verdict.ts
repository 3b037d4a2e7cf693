import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelWrite } from "../channels/channel-store.ts";
import { planDisable } from "./disable-plan.ts";
import type { Verdict } from "../upstream/channel-tester.ts";

/** What the site's options allow. */
export type JudgeRules = {
  readonly slowAfterMs: number;
  readonly mayDisable: boolean;
  readonly mayEnable: boolean;
  readonly nowSeconds: number;
};

const NO_LIMIT_MS = 10_000_000;

/** The time after which a test is too slow; 0 seconds means no limit. */
export const getSlowThresholdMs = (thresholdSeconds: number): number =>
  thresholdSeconds > 0 ? thresholdSeconds * 1_000 : NO_LIMIT_MS;

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

/** Enables the channel and these keys; undefined when nothing changes. */
export function planRevival(current: ChannelDoc, keyHashes: readonly string[]): ChannelWrite | undefined {
  const isFit = (hash: string, disabledAtSeconds: number): boolean => disabledAtSeconds > 0 && keyHashes.includes(hash);
  const keys = current.keys.map((key) =>
    isFit(key.lookupHash, key.disabledAtSeconds) ? { ...key, disabledReason: "", disabledAtSeconds: 0 } : key,
  );
  const isUsable = keys.some((key) => key.disabledAtSeconds === 0);
  if (current.status === CHANNEL_STATUS.autoDisabled && isUsable)
    return { keys, status: CHANNEL_STATUS.enabled, statusReason: "", statusAtSeconds: 0 };
  const isOneBack = keys.some((key, index) => key !== current.keys[index]);
  return current.status === CHANNEL_STATUS.enabled && isOneBack ? { keys } : undefined;
}

/**
 * The change after a test, undefined for none. Where the site's option and the channel's own allow it, an enabled
 * channel is disabled when it was too slow, and loses an unusable key; an automatically disabled one is re-enabled when its test succeeded fast enough.
 */
export function judgeTest(current: ChannelDoc, verdict: Verdict, rules: JudgeRules): ChannelWrite | undefined {
  const isSlow = verdict.timeMs > rules.slowAfterMs;
  if (current.status === CHANNEL_STATUS.autoDisabled)
    return rules.mayEnable && verdict.success && !isSlow ? planRevival(current, [verdict.keyHash]) : undefined;
  if (current.status !== CHANNEL_STATUS.enabled || !current.autoBan || !rules.mayDisable) return undefined;
  if (verdict.isUnfit)
    return planDisable(current, { keyHash: verdict.keyHash, reason: verdict.message }, rules.nowSeconds);
  if (!isSlow) return undefined;
  const statusReason = `response time ${seconds(verdict.timeMs)} s > ${seconds(rules.slowAfterMs)} s`;
  return { status: CHANNEL_STATUS.autoDisabled, statusReason, statusAtSeconds: rules.nowSeconds };
}

const FIRST_PROBE_SECONDS = 60;
const LAST_PROBE_SECONDS = 1_800;

/** Whether the next probe is due: a minute after disabling, then with doubling intervals, at most half an hour. */
export function isProbeDue(channel: ChannelDoc, nowSeconds: number): boolean {
  const keyTimes = channel.keys.map((key) => key.disabledAtSeconds);
  const offSince = Math.max(channel.statusAtSeconds, ...keyTimes);
  const lastTry = Math.max(channel.testedAtSeconds, channel.balanceAtSeconds ?? 0, offSince);
  const wait = Math.min(LAST_PROBE_SECONDS, Math.max(FIRST_PROBE_SECONDS, lastTry - offSince));
  return nowSeconds - lastTry >= wait;
}
