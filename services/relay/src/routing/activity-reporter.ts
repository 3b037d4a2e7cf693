import type { Bus } from "@turnpike/shared/events/bus";
import { channelsServed } from "@turnpike/shared/events/relay";
import type { Activity } from "./activity.ts";

/** The interval of reports to the channel service. */
const REPORT_MS = 5_000;
const REPORT_CHANNELS_MAX = 200;

/** Reports channel activity to the channel service until stopped. */
export function createActivityReporter(deps: {
  activity: Pick<Activity, "take">;
  bus: Pick<Bus, "notify">;
  relayId: string;
  now: () => number;
}) {
  const { activity, bus, relayId, now } = deps;
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    const all = activity.take();
    for (let from = 0; from < all.length; from += REPORT_CHANNELS_MAX) {
      const channels = all.slice(from, from + REPORT_CHANNELS_MAX);
      bus.notify(channelsServed, { relayId, atMs: now(), channels });
    }
  };
  return {
    start(): void {
      timer ??= setInterval(report, REPORT_MS);
    },
    stop: (): void => clearInterval(timer),
  };
}
