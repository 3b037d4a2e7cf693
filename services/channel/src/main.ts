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
import { startOpsServer } from "@turnpike/shared/http/ops-server";
import { duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { onShutdown } from "@turnpike/shared/lifecycle/shutdown";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
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
channel.worker.start();
const metrics = watchChannels(channelModel(mongo));
metrics.start();
audit.start();
// Auth may start later; until it responds, nothing is disabled automatically.
void options.start();
const ops = await startOpsServer({
  host: config.HOST,
  port: config.OPS_PORT,
  log,
  checks: {
    mongodb: async () => (await mongo.db?.command({ ping: 1 }, { timeoutMS: 1_500 })) !== undefined,
    options: duringStartup(options.isLoaded),
  },
});
log.info({ port: grpc.port }, "channel started");

// 4. Graceful shutdown
onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
  { name: "drain", run: ops.drain },
  { name: "grpc", run: grpc.stop },
  { name: "runs", run: channel.worker.stop },
  { name: "metrics", run: metrics.stop },
  { name: "options", run: options.stop },
  { name: "audit", run: audit.stop },
  { name: "nats", run: () => nats.drain() },
  { name: "auth", run: auth.close },
  { name: "relay", run: relay.close },
  { name: "mongo", run: () => mongo.close() },
  { name: "ops", run: ops.stop },
]);
