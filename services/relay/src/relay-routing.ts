import type { GetRoutingSnapshotResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelChanged } from "@turnpike/shared/events/channel";
import type { Logger } from "@turnpike/shared/log/log";
import { createSnapshot } from "@turnpike/shared/snapshot/snapshot";
import { createFailureReporter } from "./routing/failure-reporter.ts";
import { createActivityReporter } from "./routing/activity-reporter.ts";
import { createRoutingState } from "./routing/routing-state.ts";
import { createRoutingTable } from "./routing/routing-table.ts";

type Deps = {
  readonly relayId: string;
  readonly bus: Bus;
  readonly fetchRouting: () => Promise<GetRoutingSnapshotResponse>;
  /** The HMAC by which other services identify a key. */
  readonly hash: (key: string) => string;
  readonly now: () => number;
  readonly log: Logger;
};

/** Wires the routing table, what this relay knows about channels, and its reports to the channel service. */
export function createRouting({ relayId, bus, fetchRouting, hash, now, log }: Deps) {
  const snapshot = createSnapshot({
    name: "routing",
    initial: createRoutingTable([]),
    fetch: () => fetchRouting().then(({ channels, idle }) => createRoutingTable(channels, idle)),
    log,
  });
  bus.listen(channelChanged, () => snapshot.refresh());
  const state = createRoutingState({ hash, now });
  return {
    snapshot,
    state,
    reportChannel: createFailureReporter({ bus, hash }),
    reports: createActivityReporter({ activity: state.activity, bus, relayId, now }),
  };
}

export type Routing = ReturnType<typeof createRouting>;
