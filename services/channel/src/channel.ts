import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelObserved } from "@turnpike/shared/events/relay";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { takeNumbers } from "@turnpike/shared/mongo/mongo";
import { withStoreFaults } from "@turnpike/shared/mongo/store-faults";
import type { Connection } from "mongoose";
import { createChannelAdmin } from "./channels/channel-admin.ts";
import { createChannelBulk } from "./channels/channel-bulk.ts";
import { channelBulkHandlers } from "./channels/channel-bulk-handlers.ts";
import { createChannelChanges } from "./channels/channel-changes.ts";
import { channelHandlers } from "./channels/channel-handlers.ts";
import { createKeyRing } from "./channels/channel-keys.ts";
import { channelModel, routingRevisionModel } from "./channels/channel-model.ts";
import { createChannelStore } from "./channels/channel-store.ts";
import { createFailureWatch } from "./health/failure-watch.ts";
import { routingHandlers } from "./routing/routing-handlers.ts";
import { createRoutingReader } from "./routing/routing-reader.ts";
import { createChannelTester } from "./upstream/channel-tester.ts";
import { createModelLists } from "./upstream/model-lists.ts";
import { upstreamHandlers } from "./upstream/upstream-handlers.ts";

type Deps = {
  readonly mongo: Connection;
  readonly bus: Bus;
  readonly audit: AuditOutbox;
  readonly relay: Pick<GrpcClient<RelayServiceServer>, "testChannel" | "fetchModels">;
  readonly options: () => OptionsInForce;
  readonly masterKey: string;
  readonly nowMs: () => number;
  readonly log: Logger;
};

/** Joins the service's objects: its rpcs, and what it does with relays' reports. */
export function createChannel({ mongo, bus, audit, relay, options, masterKey, nowMs, log }: Deps) {
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  const store = createChannelStore({ channels: channelModel(mongo), revisions: routingRevisionModel(mongo) });
  const keyRing = createKeyRing({ secretBox: createSecretBox(masterKey), lookupHash: createLookupHash(masterKey) });
  const changes = createChannelChanges({ mongo, store, bus, audit });
  const takeId = (): Promise<number> => takeNumbers(mongo, "channels");
  const admin = createChannelAdmin({ store, changes, keyRing, takeId, nowMs });
  const watch = createFailureWatch({ store, changes, keyRing, options, bus, nowSeconds, log });
  return {
    handlers: withStoreFaults({
      ...channelHandlers(admin),
      ...routingHandlers(createRoutingReader({ store, keyRing, log })),
      ...upstreamHandlers({
        tester: createChannelTester({ store, keyRing, relay, nowSeconds }),
        modelLists: createModelLists({ store, keyRing, relay }),
      }),
    }),
    bulkHandlers: withStoreFaults(channelBulkHandlers(createChannelBulk({ store, changes }))),
    /** Begins to act on what relays report; one replica acts on each report. */
    watchFailures: (): void => bus.listen(channelObserved, watch.observe, { queue: "channel" }),
  };
}
