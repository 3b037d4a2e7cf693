import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
} from "@turnpike/proto/auth/v1/secret_option_service";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { startOpsServer } from "@turnpike/shared/http/ops-server";
import { untilFirstSuccess, duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { onShutdown } from "@turnpike/shared/lifecycle/shutdown";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { connectRedis } from "@turnpike/shared/redis/redis";
import { createBilling } from "./billing.ts";
import { readBillingConfig } from "./config.ts";
import { createPendingAccounts } from "./auth-client/pending-accounts.ts";
import { createSecretOptions } from "./auth-client/secret-options.ts";
import { createInviterLookup, createUsernameLookup } from "./auth-client/users.ts";
import { createUsageStreamMonitor } from "./usage-stream/stream-monitor.ts";
import { migrate } from "./migrate.ts";
import { MONGO_APP_NAME } from "./recovery/orphan-transactions.ts";
import { createFormerPrices } from "./prices/price-takeover.ts";
import { addRpcs } from "./rpcs.ts";
import { createCollections } from "./store/collections.ts";
import { usageStreamNames } from "./usage-stream/usage-stream.ts";

// 1. External connections
const config = readBillingConfig();
const { NAMESPACE: namespace, INTERNAL_SECRET: internalSecret, MASTER_KEY: masterKey } = config;
const log = createLogger("billing", config.LOG_LEVEL);
const connection = await connectMongo(config.MONGODB_URL, { appName: MONGO_APP_NAME });
const redis = connectRedis({ url: config.REDIS_URL, namespace, log, commandTimeoutMs: 2_000 });
const nats = await connectNats({ url: config.NATS_URL, name: "billing", log });
const toAuth = { address: config.AUTH_ADDRESS, internalSecret };
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, toAuth);
const secretOptions = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, toAuth);

// 2. Components
const bus = createBus({ nats, source: "billing", namespace, log });
const options = createOptionsSnapshot({
  fetch: () => auth.getOptionsSnapshot({}),
  fetchPrices: () => billing.priceBook.snapshot(),
  bus,
  log,
});
const collections = createCollections(connection);
await migrate(connection, collections);
const people = {
  getUsername: createUsernameLookup(auth),
  findInviter: createInviterLookup(auth),
  openPendingAccount: createPendingAccounts(auth),
};
const money = { secretOptions: createSecretOptions(secretOptions), stripeApiUrl: config.STRIPE_API_URL };
const readFormerPrices = createFormerPrices(auth);
const deps = { connection, collections, redis, nats, bus, namespace, masterKey, options, ...people, ...money, log };
const billing = createBilling({ ...deps, readFormerPrices, ledgerCheckEveryMs: config.BOOKS_CHECK_SECONDS * 1000 });
const stream = createUsageStreamMonitor({ nats, names: usageStreamNames(namespace) });

// 3. Entry points
const server = createGrpcServer({ log, internalSecret });
addRpcs(server, billing);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);
billing.priceTakeover.start();
void options.start();
billing.consumer.start();
billing.scheduler.start();
billing.orphans.start();
billing.audit.start();
stream.start();
const ops = await startOpsServer({
  host: config.HOST,
  port: config.OPS_PORT,
  log,
  checks: {
    mongodb: async () => (await connection.db?.command({ ping: 1 }, { timeoutMS: 1_500 })) !== undefined,
    redis: untilFirstSuccess(async () => (await redis.ping()) === "PONG"),
    nats: untilFirstSuccess(async () => (await nats.rtt()) >= 0),
    options: duringStartup(options.isLoaded),
    usage: duringStartup(billing.consumer.hasBegun),
  },
});
log.info({ port: grpc.port }, "billing started");

// 4. Graceful shutdown
onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
  { name: "drain", run: ops.drain },
  { name: "grpc", run: grpc.stop },
  { name: "price takeover", run: billing.priceTakeover.stop },
  { name: "usage", run: billing.consumer.stop },
  { name: "spent", run: billing.spent.stop },
  { name: "housekeeping", run: billing.scheduler.stop },
  { name: "orphans", run: billing.orphans.stop },
  { name: "audit", run: billing.audit.stop },
  { name: "metrics", run: stream.stop },
  { name: "nats", run: () => nats.drain() },
  { name: "auth", run: auth.close },
  { name: "secret options", run: secretOptions.close },
  { name: "redis", run: () => redis.quit() },
  { name: "mongo", run: () => connection.close() },
  { name: "ops", run: ops.stop },
]);
