import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelObserved, channelsServed } from "@turnpike/shared/events/relay";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import type { Connection } from "mongoose";
import { createChannelAdmin } from "./channels/channel-admin.ts";
import { createChannelBulk } from "./channels/channel-bulk.ts";
import { channelBulkHandlers } from "./channels/channel-bulk-handlers.ts";
import { createChannelChanges } from "./channels/channel-changes.ts";
import { channelHandlers } from "./channels/channel-handlers.ts";
import { createKeyRing } from "./channels/channel-keys.ts";
import { channelModel, routingRevisionModel } from "./channels/channel-model.ts";
import { createChannelStore } from "./channels/channel-store.ts";
import { createFailureConsumer } from "./health/failure-consumer.ts";
import { createChannelChecks } from "./health/channel-checks.ts";
import { routingHandlers } from "./routing/routing-handlers.ts";
import { createRoutingReader } from "./routing/routing-reader.ts";
import { keyHandlers } from "./health/key-handlers.ts";
import { createLiveHealth } from "./channels/live-health.ts";
import { runHandlers } from "./runs/run-handlers.ts";
import { type Frequencies, runJobs } from "./runs/run-jobs.ts";
import { runModel } from "./runs/run-model.ts";
import { createRunStore } from "./runs/run-store.ts";
import { createRunWorker } from "./runs/run-worker.ts";
import { createBalanceReader } from "./upstream/balance-reader.ts";
import { createChannelTester } from "./upstream/channel-tester.ts";
import { createModelLists } from "./upstream/model-lists.ts";
import { priceListModel } from "./upstream/price-list-model.ts";
import { createPriceLists } from "./upstream/price-lists.ts";
import { reportHandlers } from "./upstream/report-handlers.ts";
import { upstreamHandlers } from "./upstream/upstream-handlers.ts";

type Deps = {
  readonly mongo: Connection;
  readonly bus: Bus;
  readonly audit: AuditOutbox;
  readonly relay: Pick<
    GrpcClient<RelayServiceServer>,
    "testChannel" | "fetchModels" | "fetchBalance" | "fetchPriceList" | "fetchUsageReport"
  >;
  readonly frequencies: Frequencies;
  readonly options: () => OptionsInForce;
  readonly masterKey: string;
  readonly nowMs: () => number;
  readonly log: Logger;
};

/** Wires the service: its RPCs, the handling of relays' reports, and the runs over all channels. */
export function createChannel({ mongo, bus, audit, relay, options, frequencies, masterKey, nowMs, log }: Deps) {
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  const store = createChannelStore({ channels: channelModel(mongo), revisions: routingRevisionModel(mongo) });
  const keyRing = createKeyRing({ secretBox: createSecretBox(masterKey), lookupHash: createLookupHash(masterKey) });
  const changes = createChannelChanges({ mongo, store, bus, audit });
  const takeId = (): Promise<number> => allocateIds(mongo, "channels");
  const admin = createChannelAdmin({ store, changes, keyRing, takeId, nowMs });
  const watch = createFailureConsumer({ store, changes, keyRing, options, bus, nowSeconds, log });
  const live = createLiveHealth({ nowMs });
  const tester = createChannelTester({ store, keyRing, relay, nowSeconds });
  const balances = createBalanceReader({ store, keyRing, relay, nowSeconds });
  const priceLists = createPriceLists({ lists: priceListModel(mongo), relay, nowSeconds });
  const fitness = createChannelChecks({ tester, balances, changes, options, bus, nowSeconds, log });
  const runs = createRunStore({ runs: runModel(mongo), nowMs });
  const jobs = runJobs({ store, fitness, priceLists, options, bus, frequencies });
  const worker = createRunWorker({ runs, jobs, log });
  return {
    handlers: withStoreErrors({
      ...channelHandlers(admin, live),
      ...routingHandlers(createRoutingReader({ store, priceLists, keyRing, log }), live),
      ...upstreamHandlers({
        tester,
        modelLists: createModelLists({ store, keyRing, relay }),
        priceLists,
        store,
      }),
    }),
    bulkHandlers: withStoreErrors(channelBulkHandlers(createChannelBulk({ store, changes }))),
    healthHandlers: withStoreErrors({
      ...runHandlers({ runs, wake: worker.wake, store, balances }),
      ...keyHandlers({ store, changes, live }),
    }),
    reportHandlers: withStoreErrors(reportHandlers({ store, changes, keyRing, relay })),
    /** Runs over all channels: tests, balances, probes. */
    worker,
    /** Starts handling relays' failure reports; one replica handles each report. */
    watchFailures: (): void => bus.listen(channelObserved, watch.observe, { queue: "channel" }),
    /** Starts receiving call statistics; every replica receives all of them. */
    watchHealth: (): void => bus.listen(channelsServed, live.record),
  };
}
