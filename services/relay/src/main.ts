import { SIGNING_RELAY } from "@turnpike/shared/accounts/account-keys";
import { hostname } from "node:os";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { OidcTokenServiceClient, type OidcTokenServiceServer } from "@turnpike/proto/auth/v1/oidc_token_service";
import { AccountServiceClient, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { TokenUsageServiceClient, type TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { PriceBookServiceClient, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { LogFilter, LogServiceClient, type LogServiceServer } from "@turnpike/proto/billing/v1/log_service";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { TaskServiceClient, type TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { TokenServiceClient, type TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import { ChannelServiceClient, type ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { RelayServiceService } from "@turnpike/proto/relay/v1/relay_service";
import { readConfig } from "@turnpike/shared/config/read-config";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { getKeyHashes } from "@turnpike/shared/crypto/token-key-hash";
import { createStateSeal } from "@turnpike/shared/crypto/state-seal";
import { connectNats, createBus, getSubject } from "@turnpike/shared/events/bus";
import { usageRecorded } from "@turnpike/shared/events/relay";
import { createGrpcClient, type GrpcTarget } from "@turnpike/shared/grpc/client";
import { ServiceHealth } from "@turnpike/shared/grpc/service-health";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { createUsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { verifyClientAddressProof } from "@turnpike/shared/crypto/client-address-proof";
import { readPlaygroundProof } from "@turnpike/shared/crypto/playground-proof";
import { createConnectionDrain } from "@turnpike/shared/http/connection-draining";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { connectRedis, refuseEviction } from "@turnpike/shared/redis/redis";
import { createOidcTokenResolution } from "./admission/oidc-token-resolution.ts";
import { createUsageStream } from "./accounting/usage/usage-stream.ts";
import { RelayConfig } from "./config.ts";
import { relayHandlers } from "./http/control/relay-handlers.ts";
import { inFlight } from "./core/telemetry/relay-metrics.ts";
import { createCollector, releaseMemory } from "./memory-release.ts";
import { createHttpServer, listenShared } from "./http/http-server.ts";
import { createStateCodec } from "./pipeline/provider-state/state-codec.ts";
import { createRelay } from "./relay.ts";

// 1. External connections
const config = readConfig(RelayConfig);
const now = (): number => Date.now();
const relayId = `${hostname()}-${process.pid}-${newRequestId()}${SIGNING_RELAY}`;
const log = createLogger("relay", config.LOG_LEVEL);
const { NAMESPACE: namespace, INTERNAL_SECRET: internalSecret } = config;
const nats = await connectNats({ url: config.NATS_URL, name: relayId, log });
const bus = createBus({ nats, source: "relay", namespace, log });
const redis = connectRedis({ url: config.REDIS_URL, namespace, log, commandTimeoutMs: 1_000 });
const toService = (address: string): GrpcTarget => ({ address, internalSecret, health: new ServiceHealth() });
const toBilling = toService(config.BILLING_ADDRESS);
const toAuth = toService(config.AUTH_ADDRESS);
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, toAuth);
const oidcTokens = createGrpcClient<OidcTokenServiceServer>(OidcTokenServiceClient, toAuth);
const tokens = createGrpcClient<TokenServiceServer>(TokenServiceClient, toBilling);
const accounts = createGrpcClient<AccountServiceServer>(AccountServiceClient, toBilling);
const tokenUsage = createGrpcClient<TokenUsageServiceServer>(TokenUsageServiceClient, toBilling);
const taskClient = createGrpcClient<TaskServiceServer>(TaskServiceClient, toBilling);
const logs = createGrpcClient<LogServiceServer>(LogServiceClient, toBilling);
const priceBook = createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, toBilling);
const channels = createGrpcClient<ChannelServiceServer>(ChannelServiceClient, toService(config.CHANNEL_ADDRESS));
const jetStream = jetstream(nats, { timeout: 5_000 });

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
  usageStream: createUsageStream(
    nats,
    jetStream,
    getSubject(namespace, usageRecorded.subject),
    createUsageSigner(internalSecret),
  ),
  fetchRouting: () => channels.getRoutingSnapshot({}),
  resolveToken: async (key) => {
    const { own, foreign } = getKeyHashes(hash, key);
    const { token } = await tokens.resolveToken({ keyHash: own, foreignKeyHash: foreign });
    if (!token) throw new Error("billing returned no token");
    return token;
  },
  getToken: async (userId, id) => {
    const { token } = await tokens.getToken({ userId, id });
    if (!token) throw new Error("billing returned no token");
    return token;
  },
  resolveOidcToken: createOidcTokenResolution({ oidcTokens, tokens }),
  getPrincipal: (userId) => auth.getPrincipal({ userId }),
  loadAccount: async (userId, tokenId) => void (await accounts.loadAccount({ userId, tokenId }, { timeoutMs: 15_000 })),
  hash,
  taskClient,
  secretBox: createSecretBox(config.MASTER_KEY),
  stateCodec: createStateCodec(createStateSeal(config.MASTER_KEY)),
  verifyClientAddress: (address, proof) => verifyClientAddressProof(internalSecret, address, proof),
  verifyPlayground: (header, nowSeconds) => readPlaygroundProof(internalSecret, header, nowSeconds),
  findLogRow: (userId, name) =>
    logs.listLogs(
      { filter: LogFilter.fromPartial({ ...name, type: LOG_TYPE.consume, userId }), page: 1, pageSize: 1 },
      { timeoutMs: 5_000 },
    ),
  getTokenBalance: (tokenId) => tokenUsage.getTokenBalance({ tokenId }, { timeoutMs: 5_000 }),
});
// Without Redis the relay starts all the same, and serves once it is there.
await refuseEviction(redis, { log, waitMs: 3_000 });
await Promise.all([options.start(), relay.start()]);

// 3. Entry points
const grpc = createGrpcServer({ log, internalSecret });
grpc.add(
  RelayServiceService,
  relayHandlers({ client: relay.client, accessTokens: relay.accessTokens, options: options.current, now }),
);
const grpcServer = await grpc.listen(config.HOST, config.GRPC_PORT);
const sendTimeoutMs = config.SEND_TIMEOUT_SECONDS * 1_000;
const server = createHttpServer({ serveRoute: relay.serveRoute, sendTimeoutMs, log });
server.on("upgrade", (request, socket, head) => void relay.upgrade(request, socket, head));
const connectionDrain = createConnectionDrain(server);
const port = await listenShared(server, config.RELAY_PORT, config.HOST);
const stopMemoryRelease = releaseMemory({
  inFlight: () => inFlight.calls,
  begun: () => inFlight.begun,
  residentBytes: process.memoryUsage.rss,
  collect: createCollector(),
  log,
});

// 4. Start, and shutdown in this order
/** Calls that outlive the grace period end this long before it does: time to settle and publish. */
const CALLS_END_BEFORE_MS = 2_000;
const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1_000;
const callsEndAfterMs = Math.max(graceMs - CALLS_END_BEFORE_MS, graceMs / 2);
await startService({
  config,
  log,
  checks: { options: options.isLoaded, routing: relay.isRoutingLoaded, spool: relay.hasRoom },
  parts: [
    { name: "last moment", stop: () => void setTimeout(relay.stopCalls, callsEndAfterMs).unref() },
    // A relay that stops takes nothing over.
    { name: "background", stop: relay.stopTakeover },
    { name: "conversations", stop: () => relay.drainSockets() },
    { name: "callers", stop: () => connectionDrain.begin(config.SHUTDOWN_GRACE_SECONDS) },
    // Waits for settlements too: a record that arrives after the publisher stopped would wait for the janitor.
    { name: "calls", stop: () => connectionDrain.waitUntilClosed(() => inFlight.calls > 0) },
    { name: "grpc", stop: grpcServer.stop },
    { name: "memory", stop: stopMemoryRelease },
    { name: "usage", stop: relay.stop },
    { name: "nats", stop: () => nats.drain() },
    { name: "redis", stop: () => redis.quit() },
  ],
  facts: { port, relayId },
});
