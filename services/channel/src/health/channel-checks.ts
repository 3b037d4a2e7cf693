import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelAutoDisabled, channelAutoEnabled } from "@turnpike/shared/events/channel";
import type { Logger } from "@turnpike/shared/log/log";
import type { ChannelChanges } from "../channels/channel-changes.ts";
import { keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc, ChannelKey } from "../channels/channel-model.ts";
import type { ChannelWrite } from "../channels/channel-store.ts";
import type { BalanceReader } from "../upstream/balance-reader.ts";
import type { ChannelTester } from "../upstream/channel-tester.ts";
import { isProbeDue, judgeTest, planRevival, getSlowThresholdMs } from "./test-verdict.ts";

/** The outcome of the check of one channel; "skipped" is not counted. */
export type CheckResult = "fit" | "failed" | "disabled" | "enabled" | "skipped";

/** The maximum number of keys of a channel per probe. */
const KEYS_PER_PROBE = 5;
const REASON_LENGTH_MAX = 500;
const EMPTY_REASON = "balance is used up";

const hasNothingLeft = ({ balance = 0, balanceAtSeconds = 0 }: ChannelDoc): boolean =>
  balanceAtSeconds > 0 && balance <= 0;

type Deps = {
  readonly tester: ChannelTester;
  readonly balances: BalanceReader;
  readonly changes: ChannelChanges;
  readonly options: () => OptionsInForce;
  readonly bus: Pick<Bus, "notify">;
  readonly nowSeconds: () => number;
  readonly log: Logger;
};

/** Changes a channel and notifies administrators of the result. */
function createStatusChange({ changes, bus, log }: Pick<Deps, "changes" | "bus" | "log">) {
  return async function apply(
    { _id: channelId }: ChannelDoc,
    plan: (current: ChannelDoc) => ChannelWrite | undefined,
  ): Promise<"disabled" | "enabled" | undefined> {
    let before = 0;
    const after = await changes.update(channelId, (current) => {
      before = current.status;
      return plan(current);
    });
    if (!after || after.status === before) return undefined;
    const { name, status, statusReason: reason } = after;
    log.warn({ channelId, status, reason }, "channel status changed by a check");
    if (status === CHANNEL_STATUS.enabled) bus.notify(channelAutoEnabled, { channelId, name });
    else bus.notify(channelAutoDisabled, { channelId, name, reason });
    return status === CHANNEL_STATUS.enabled ? "enabled" : "disabled";
  };
}

/** Chooses disabled keys to probe: each probe continues where the last one ended, since the first of many may never recover. */
function createKeyRotation() {
  const nextByChannel = new Map<number, number>();
  return function chooseDisabledKeys({ _id, keys }: ChannelDoc, count: number): ChannelKey[] {
    const disabled = keys.filter((key) => key.disabledAtSeconds > 0);
    const from = disabled.length > count ? (nextByChannel.get(_id) ?? 0) % disabled.length : 0;
    if (disabled.length > count) nextByChannel.set(_id, from + count);
    else nextByChannel.delete(_id);
    return [...disabled.slice(from), ...disabled.slice(0, from)].slice(0, count);
  };
}

/** Checks channels one by one, and disables or enables them by the result. Each check is idempotent. */
export function createChannelChecks(deps: Deps) {
  const { tester, balances, options, nowSeconds } = deps;
  const apply = createStatusChange(deps);
  const chooseDisabledKeys = createKeyRotation();
  const rules = () => ({
    slowAfterMs: getSlowThresholdMs(options().number("ChannelDisableThreshold")),
    mayDisable: options().flag("AutomaticDisableChannelEnabled"),
    mayEnable: options().flag("AutomaticEnableChannelEnabled"),
    nowSeconds: nowSeconds(),
  });
  /**
   * A disabled channel with enabled keys was too slow or out of balance: one of those keys shows whether it works
   * again.
   */
  const findFitKeys = async (channel: ChannelDoc): Promise<string[]> => {
    const inUse = channel.status === CHANNEL_STATUS.autoDisabled ? keysInUse(channel.keys).slice(0, 1) : [];
    const fit: string[] = [];
    for (const key of [...inUse, ...chooseDisabledKeys(channel, KEYS_PER_PROBE - inUse.length)]) {
      const { success, timeMs } = await tester.examine(channel, { model: "", keys: [key] });
      if (success && timeMs <= rules().slowAfterMs) fit.push(key.lookupHash);
    }
    return fit;
  };
  /** An unreadable key is left for the test call to report. */
  const holdsSomething = async (channel: ChannelDoc): Promise<boolean> =>
    (await balances.read(channel).catch(() => Number.POSITIVE_INFINITY)) > 0;
  return {
    /** Tests a channel and applies the result. */
    async test(channel: ChannelDoc): Promise<CheckResult> {
      const found = await tester.examine(channel, { model: "" });
      const verdict = { ...found, message: found.message.trim().slice(0, REASON_LENGTH_MAX) || "the test failed" };
      const plan = (current: ChannelDoc) => judgeTest(current, verdict, rules());
      const changed = plan(channel) ? await apply(channel, plan) : undefined;
      return changed ?? (verdict.success ? "fit" : "failed");
    },
    /** Probes whether a channel, or keys of it, that the system disabled work again. */
    async probe(channel: ChannelDoc): Promise<CheckResult> {
      if (!rules().mayEnable || !isProbeDue(channel, nowSeconds())) return "skipped";
      if (hasNothingLeft(channel) && !(await holdsSomething(channel))) return "failed";
      const fit = await findFitKeys(channel);
      if (fit.length === 0) return "failed";
      return (await apply(channel, (current) => planRevival(current, fit))) ?? "fit";
    },
    /** Reads the balance of a channel's account; an empty one disables the channel where the site's option allows it. */
    async checkBalance(channel: ChannelDoc): Promise<CheckResult> {
      if ((await balances.read(channel)) > 0) return "fit";
      const off = { status: CHANNEL_STATUS.autoDisabled, statusReason: EMPTY_REASON, statusAtSeconds: nowSeconds() };
      const mayBeOff = ({ status, autoBan }: ChannelDoc) =>
        status === CHANNEL_STATUS.enabled && autoBan && rules().mayDisable;
      return (await apply(channel, (current) => (mayBeOff(current) ? off : undefined))) ?? "failed";
    },
  };
}
export type ChannelChecks = ReturnType<typeof createChannelChecks>;
