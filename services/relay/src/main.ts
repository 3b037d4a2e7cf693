import { hostname } from "node:os";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { AccountServiceClient, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { TokenUsageServiceClient, type TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { PriceBookServiceClient, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { TaskServiceClient, type TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { TokenServiceClient, type TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import { ChannelServiceClient, type ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { RelayServiceService } from "@turnpike/proto/relay/v1/relay_service";
import { readConfig } from "@turnpike/shared/config/read-config";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { connectNats, createBus, getSubject } from "@turnpike/shared/events/bus";
import { usageRecorded } from "@turnpike/shared/events/relay";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { verifyClientAddressProof } from "@turnpike/shared/crypto/client-address-proof";
import { readPlaygroundProof } from "@turnpike/shared/crypto/playground-proof";
import { startOpsServer } from "@turnpike/shared/http/ops-server";
import { createConnectionDrain } from "@turnpike/shared/http/connection-draining";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { onShutdown } from "@turnpike/shared/lifecycle/shutdown";
import { createLogger } from "@turnpike/shared/log/log";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { RelayConfig } from "./config.ts";
import { relayHandlers } from "./http/control/relay-handlers.ts";
import { inFlight } from "./core/telemetry/relay-metrics.ts";
import { createCollector, releaseMemory } from "./memory-release.ts";
import { createHttpServer, listenShared } from "./http/http-server.ts";
import { createRelay } from "./relay.ts";

// 1. External connections
const config = readConfig(RelayConfig);
const now = (): number => Date.now();
const relayId = `${hostname()}-${process.pid}-${newRequestId()}`;
const log = createLogger("relay", config.LOG_LEVEL);
const { NAMESPACE: namespace, INTERNAL_SECRET: internalSecret } = config;
const nats = await connectNats({ url: config.NATS_URL, name: relayId, log });
const bus = createBus({ nats, source: "relay", namespace, log });
const redis = connectRedis({ url: config.REDIS_URL, namespace, log, commandTimeoutMs: 1_000 });
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, { address: config.AUTH_ADDRESS, internalSecret });
const tokens = createGrpcClient<TokenServiceServer>(TokenServiceClient, {
  address: config.BILLING_ADDRESS,
  internalSecret,
});
const accounts = createGrpcClient<AccountServiceServer>(AccountServiceClient, {
  address: config.BILLING_ADDRESS,
  internalSecret,
});
const tokenUsage = createGrpcClient<TokenUsageServiceServer>(TokenUsageServiceClient, {
  address: config.BILLING_ADDRESS,
  internalSecret,
});
const taskClient = createGrpcClient<TaskServiceServer>(TaskServiceClient, {
  address: config.BILLING_ADDRESS,
  internalSecret,
});
const priceBook = createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, {
  address: config.BILLING_ADDRESS,
  internalSecret,
});
const channels = createGrpcClient<ChannelServiceServer>(ChannelServiceClient, {
  address: config.CHANNEL_ADDRESS,
  internalSecret,
});
const usageStream = jetstream(nats, { timeout: 5_000 });
const usageSubject = getSubject(namespace, usageRecorded.subject);

// 2. Components
const options = createOptionsSnapshot({
  fetch: () => auth.getOptionsSnapshot({}),
  fetchPrices: () => priceBook.getPriceBook({}),
  bus,
  log,
});
const hash = createLookupHash(config.MASTER_KEY);
const relay = createRelay({
  config,
  relayId,
  redis,
  bus,
  options,
  now,
  log,
  spoolRoot: join(config.DATA_DIR, "spool"),
  publishUsage: async (payload, id) => void (await usageStream.publish(usageSubject, payload, { msgID: id })),
  fetchRouting: () => channels.getRoutingSnapshot({}),
  resolveToken: async (key) => {
    const { token } = await tokens.resolveToken({ keyHash: hash(key) });
    if (!token) throw new Error("billing returned no token");
    return token;
  },
  getPrincipal: (userId) => auth.getPrincipal({ userId }),
  loadAccount: async (userId, tokenId) => void (await accounts.loadAccount({ userId, tokenId }, { timeoutMs: 15_000 })),
  hash,
  taskClient,
  secretBox: createSecretBox(config.MASTER_KEY),
  verifyClientAddress: (address, proof) => verifyClientAddressProof(internalSecret, address, proof),
  verifyPlayground: (header) => readPlaygroundProof(internalSecret, header, Math.floor(now() / 1000)),
  getTokenBalance: (tokenId) => tokenUsage.getTokenBalance({ tokenId }, { timeoutMs: 5_000 }),
});
await Promise.all([options.start(), relay.start(), waitForRedis(redis, 3_000)]);

// 3. Entry points
const grpc = createGrpcServer({ log, internalSecret });
grpc.add(
  RelayServiceService,
  relayHandlers({ client: relay.client, accessTokens: relay.accessTokens, options: options.current, now }),
);
const grpcServer = await grpc.listen(config.HOST, config.GRPC_PORT);
const server = createHttpServer({ serveRoute: relay.serveRoute, log });
server.on("upgrade", (request, socket, head) => void relay.realtime.upgrade(request, socket, head));
const connectionDrain = createConnectionDrain(server);
const port = await listenShared(server, config.RELAY_PORT, config.HOST);
const ops = await startOpsServer({
  host: config.HOST,
  port: config.OPS_PORT,
  log,
  checks: { options: options.isLoaded, routing: relay.isRoutingLoaded, spool: relay.hasRoom },
});
const stopGivingBack = releaseMemory({
  inFlight: () => inFlight.calls,
  begun: () => inFlight.begun,
  residentBytes: process.memoryUsage.rss,
  collect: createCollector(),
  log,
});
log.info({ port, relayId }, "relay started");

// 4. Graceful shutdown
onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
  { name: "drain", run: ops.drain },
  { name: "conversations", run: relay.realtime.drain },
  { name: "callers", run: () => connectionDrain.begin(config.SHUTDOWN_GRACE_SECONDS) },
  // Waits for settlements too: a record that arrives after the publisher stopped would wait for the janitor.
  { name: "calls", run: () => connectionDrain.waitUntilClosed(() => inFlight.calls > 0) },
  { name: "grpc", run: grpcServer.stop },
  { name: "memory", run: stopGivingBack },
  { name: "usage", run: relay.stop },
  { name: "nats", run: () => nats.drain() },
  { name: "redis", run: () => redis.quit() },
  { name: "ops", run: ops.stop },
]);
