import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
} from "@turnpike/proto/auth/v1/secret_option_service";
import {
  ChannelReportServiceClient,
  type ChannelReportServiceServer,
} from "@turnpike/proto/channel/v1/channel_report_service";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { untilFirstSuccess, duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";
import { createUsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { createStoreClock } from "@turnpike/shared/mongo/store-clock";
import { connectMongo, isMongoReady } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { connectRedis, refuseEviction } from "@turnpike/shared/redis/redis";
import { createBilling } from "./billing.ts";
import { CATALOGUE_BYTES_MAX, CATALOGUE_TIMEOUT_MS } from "./catalogue/catalogue-fetch.ts";
import { readBillingConfig } from "./config.ts";
import { createPendingAccounts } from "./auth-client/pending-accounts.ts";
import { createSecretOptions } from "./auth-client/secret-options.ts";
import { createInviterLookup, createUsernameLookup } from "./auth-client/users.ts";
import { createUsageStreamMonitor } from "./usage-stream/stream-monitor.ts";
import { migrate } from "./migrate.ts";
import { getMongoAppName } from "./recovery/orphan-transactions.ts";
import { createFormerPrices } from "./prices/price-takeover.ts";
import { addRpcs } from "./rpcs.ts";
import { createCollections } from "./store/collections.ts";
import { getUsageStream } from "./usage-stream/usage-stream.ts";

// 1. External connections
const config = readBillingConfig();
const { NAMESPACE: namespace, INTERNAL_SECRET: internalSecret, MASTER_KEY: masterKey } = config;
const log = createLogger("billing", config.LOG_LEVEL);
const connection = await connectMongo(config.MONGODB_URL, { appName: getMongoAppName(config.MONGODB_URL) });
const redis = connectRedis({ url: config.REDIS_URL, namespace, log, commandTimeoutMs: 2_000 });
const nats = await connectNats({ url: config.NATS_URL, name: "billing", log });
const toAuth = { address: config.AUTH_ADDRESS, internalSecret };
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, toAuth);
const secretOptions = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, toAuth);
const channelReports = createGrpcClient<ChannelReportServiceServer>(ChannelReportServiceClient, {
  address: config.CHANNEL_ADDRESS,
  internalSecret,
});

await refuseEviction(redis, { log, waitMs: 3_000 });

// 2. Components
const bus = createBus({ nats, source: "billing", namespace, log });
const options = createOptionsSnapshot({
  fetch: () => auth.getOptionsSnapshot({}),
  fetchPrices: () => billing.priceBook.snapshot(),
  bus,
  log,
});
const collections = createCollections(connection);
const storeClock = await createStoreClock(connection);
await migrate(connection, collections);
const users = {
  getUsername: createUsernameLookup(auth),
  findInviter: createInviterLookup(auth),
  openPendingAccount: createPendingAccounts(auth),
};
const guard = createPrivateAddressGuard({
  allowlist: config.PRIVATE_ADDRESS_ALLOWLIST,
  responseBytesMax: CATALOGUE_BYTES_MAX,
  callTimeoutMs: CATALOGUE_TIMEOUT_MS,
});
const money = { secretOptions: createSecretOptions(secretOptions), stripeApiUrl: config.STRIPE_API_URL };
const readFormerPrices = createFormerPrices(auth);
const signer = createUsageSigner(internalSecret);
const deps = {
  channelReports,
  signer,
  connection,
  storeClock,
  collections,
  redis,
  nats,
  bus,
  namespace,
  masterKey,
  options,
  ...users,
  ...money,
  guard,
  log,
};
const billing = createBilling({ ...deps, readFormerPrices, ledgerCheckEveryMs: config.RECONCILIATION_SECONDS * 1000 });
const stream = createUsageStreamMonitor({ nats, work: getUsageStream(namespace) });

// 3. Entry points
const server = createGrpcServer({ log, internalSecret });
addRpcs(server, billing);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);

// 4. Start, and shutdown in this order
await startService({
  config,
  log,
  checks: {
    mongodb: () => isMongoReady(connection),
    redis: untilFirstSuccess(async () => (await redis.ping()) === "PONG"),
    nats: untilFirstSuccess(async () => (await nats.rtt()) >= 0),
    options: duringStartup(options.isLoaded),
    usage: duringStartup(billing.consumer.hasBegun),
  },
  parts: [
    { name: "grpc", stop: grpc.stop },
    { name: "price takeover", ...billing.priceTakeover },
    { name: "options", start: () => void options.start() },
    { name: "usage", ...billing.consumer },
    { name: "spent", ...billing.spent },
    { name: "provider reports", stop: billing.stopReports },
    { name: "channel reports", stop: channelReports.close },
    { name: "housekeeping", ...billing.scheduler },
    { name: "orphans", ...billing.orphans },
    { name: "clock", ...storeClock },
    { name: "audit", ...billing.audit },
    { name: "metrics", ...stream },
    { name: "nats", stop: () => nats.drain() },
    { name: "auth", stop: auth.close },
    { name: "secret options", stop: secretOptions.close },
    { name: "redis", stop: () => redis.quit() },
    { name: "mongo", stop: () => connection.close() },
  ],
  facts: { port: grpc.port },
});
