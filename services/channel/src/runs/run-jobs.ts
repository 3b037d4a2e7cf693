import { TASK_CHANNEL_TYPES } from "@turnpike/contract/api/channels/channel-types";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelsTested } from "@turnpike/shared/events/channel";
import type { ChannelKind, ChannelStore } from "../channels/channel-store.ts";
import type { ChannelChecks } from "../health/channel-checks.ts";
import type { PriceLists } from "../upstream/price-lists.ts";
import type { RunDoc } from "./run-model.ts";
import type { Job } from "./run-worker.ts";

/** The interval of scheduled runs over all channels; 0 for never. */
export type Frequencies = { readonly testEveryMs: number; readonly balanceEveryMs: number };

/** Each channel has its own probe interval; this is only how often due ones are looked up. */
const PROBE_EVERY_MS = 15_000;
/** Each list is fetched some times a day; this is only how often due ones are looked up. */
const PRICES_EVERY_MS = 300_000;

/** The kinds of runs over all channels. */
export function runJobs(deps: {
  store: Pick<ChannelStore, "listAfter">;
  fitness: ChannelChecks;
  priceLists: Pick<PriceLists, "fetchIfDue">;
  options: () => OptionsInForce;
  bus: Pick<Bus, "notify">;
  frequencies: Frequencies;
}): readonly Job[] {
  const { store, fitness, priceLists, options, bus, frequencies } = deps;
  const toList = (kind: ChannelKind) => (after: number, limit: number) => store.listAfter(after, limit, kind);
  const notifyEnd = ({ isManual, done: tested, failed, disabled, enabled }: RunDoc): void => {
    if (isManual) bus.notify(channelsTested, { tested, failed, disabled, enabled });
  };
  /** Image and music task accounts have no small call that could test them. */
  const unlessTasks =
    (step: Job["step"]): Job["step"] =>
    async (channel) =>
      TASK_CHANNEL_TYPES.has(channel.type) ? "skipped" : step(channel);
  const probeEveryMs = (): number => (options().flag("AutomaticEnableChannelEnabled") ? PROBE_EVERY_MS : 0);
  return [
    {
      kind: "test",
      everyMs: () => frequencies.testEveryMs,
      listAfter: toList("all"),
      step: unlessTasks(fitness.test),
      ended: notifyEnd,
    },
    {
      kind: "balance",
      everyMs: () => frequencies.balanceEveryMs,
      listAfter: toList("enabled"),
      step: unlessTasks(fitness.checkBalance),
    },
    { kind: "probe", everyMs: probeEveryMs, listAfter: toList("put-out"), step: unlessTasks(fitness.probe) },
    {
      kind: "prices",
      everyMs: () => PRICES_EVERY_MS,
      listAfter: toList("resellers"),
      step: async (channel) => ((await priceLists.fetchIfDue(channel)) ? "fit" : "skipped"),
    },
  ];
}
