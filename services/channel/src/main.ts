import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { ChannelBulkServiceService } from "@turnpike/proto/channel/v1/channel_bulk_service";
import { ChannelHealthServiceService } from "@turnpike/proto/channel/v1/channel_health_service";
import { ChannelReportServiceService } from "@turnpike/proto/channel/v1/channel_report_service";
import { ChannelServiceService } from "@turnpike/proto/channel/v1/channel_service";
import { RelayServiceClient, type RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo, isMongoReady } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { createChannel } from "./channel.ts";
import { channelModel } from "./channels/channel-model.ts";
import { readChannelConfig } from "./config.ts";
import { watchChannels } from "./metrics.ts";

// 1. External connections
const config = readChannelConfig();
const log = createLogger("channel", config.LOG_LEVEL);
const internalSecret = config.INTERNAL_SECRET;
const mongo = await connectMongo(config.MONGODB_URL);
const nats = await connectNats({ url: config.NATS_URL, name: "channel", log });
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, { address: config.AUTH_ADDRESS, internalSecret });
const relay = createGrpcClient<RelayServiceServer>(RelayServiceClient, {
  address: config.RELAY_ADDRESS,
  internalSecret,
});

// 2. Components
const bus = createBus({ nats, source: "channel", namespace: config.NAMESPACE, log });
const options = createOptionsSnapshot({ fetch: () => auth.getOptionsSnapshot({}), bus, log });
const audit = createAuditOutbox({ mongo, nats, namespace: config.NAMESPACE, source: "channel", log });
const channel = createChannel({
  mongo,
  bus,
  audit,
  relay,
  options: options.current,
  frequencies: {
    testEveryMs: config.CHANNEL_TEST_FREQUENCY * 60_000,
    balanceEveryMs: config.CHANNEL_UPDATE_FREQUENCY * 60_000,
  },
  masterKey: config.MASTER_KEY,
  nowMs: Date.now,
  log,
});
await migrateModels(mongo, "channel", log);

// 3. Entry points
const server = createGrpcServer({ log, internalSecret });
server.add(ChannelServiceService, channel.handlers);
server.add(ChannelBulkServiceService, channel.bulkHandlers);
server.add(ChannelHealthServiceService, channel.healthHandlers);
server.add(ChannelReportServiceService, channel.reportHandlers);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);
channel.watchFailures();
channel.watchHealth();

// 4. Start, and shutdown in this order
await startService({
  config,
  log,
  checks: {
    mongodb: () => isMongoReady(mongo),
    options: duringStartup(options.isLoaded),
  },
  parts: [
    { name: "grpc", stop: grpc.stop },
    { name: "runs", ...channel.worker },
    { name: "metrics", ...watchChannels(channelModel(mongo)) },
    // Auth may start later; until it responds, nothing is disabled automatically.
    { name: "options", start: () => void options.start(), stop: options.stop },
    { name: "audit", start: audit.start, stop: audit.stop },
    { name: "nats", stop: () => nats.drain() },
    { name: "auth", stop: auth.close },
    { name: "relay", stop: relay.close },
    { name: "mongo", stop: () => mongo.close() },
  ],
  facts: { port: grpc.port },
});
