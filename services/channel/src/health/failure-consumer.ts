import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelAutoDisabled } from "@turnpike/shared/events/channel";
import type { channelObserved } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { z } from "zod";
import type { ChannelChanges } from "../channels/channel-changes.ts";
import type { KeyRing } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import { planDisable } from "./disable-plan.ts";

type Observed = z.output<(typeof channelObserved)["data"]>;

const REASON_LENGTH_MAX = 500;

/** Disables keys and channels that relays report as unusable, when the site's options allow it. */
export function createFailureConsumer(deps: {
  store: ChannelStore;
  changes: ChannelChanges;
  keyRing: KeyRing;
  options: () => OptionsInForce;
  bus: Pick<Bus, "notify">;
  nowSeconds: () => number;
  log: Logger;
}) {
  const { store, changes, keyRing, options, bus, nowSeconds, log } = deps;
  return {
    /** Idempotent; throws when the channel does not exist or MongoDB is down. */
    async observe({ channelId, keyHash, disable, isWhole, reason, status }: Observed): Promise<void> {
      if (!disable || !options().flag("AutomaticDisableChannelEnabled")) return;
      const plan = (channel: ChannelDoc) => {
        const masked = keyRing.mask(reason, channel).trim().slice(0, REASON_LENGTH_MAX);
        const failure = { keyHash, isWhole: isWhole === true, reason: masked === "" ? `HTTP ${status}` : masked };
        return planDisable(channel, failure, nowSeconds());
      };
      // Many calls fail at once on one bad key: all but the first need no transaction.
      if (!plan(await store.get(channelId))) return;
      const after = await changes.update(channelId, plan);
      if (!after) return;
      log.warn({ channelId, keyHash, status: after.status }, "channel key disabled");
      if (after.status !== CHANNEL_STATUS.autoDisabled) return;
      bus.notify(channelAutoDisabled, { channelId, name: after.name, reason: after.statusReason });
    },
  };
}
