import { AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import { DeclaredServiceService } from "@turnpike/proto/auth/v1/declared_service";
import { IdentityServiceService } from "@turnpike/proto/auth/v1/identity_service";
import { NoticeTargetServiceService } from "@turnpike/proto/auth/v1/notice_target_service";
import { OidcTokenServiceService } from "@turnpike/proto/auth/v1/oidc_token_service";
import { PriceHistoryServiceService } from "@turnpike/proto/auth/v1/price_history_service";
import { SiteServiceService } from "@turnpike/proto/auth/v1/site_service";
import { SelfServiceService } from "@turnpike/proto/auth/v1/self_service";
import { SecretOptionServiceService } from "@turnpike/proto/auth/v1/secret_option_service";
import { AccountServiceClient, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { CreditServiceClient, type CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import { PriceBookServiceClient, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { MailServiceClient, type MailServiceServer } from "@turnpike/proto/messaging/v1/mail_service";
import { auditStream } from "@turnpike/shared/audit/audit-stream";
import { auditRecorded } from "@turnpike/shared/events/auth";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createEventConsumer, onEvent } from "@turnpike/shared/events/event-consumer";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo, isMongoReady } from "@turnpike/shared/mongo/mongo";
import { connectRedis } from "@turnpike/shared/redis/redis";
import { createAuth } from "./auth.ts";
import { readAuthConfig } from "./config.ts";

// 1. External connections
const config = readAuthConfig();
const log = createLogger("auth", config.LOG_LEVEL);
const mongo = await connectMongo(config.MONGODB_URL);
const redis = connectRedis({ url: config.REDIS_URL, namespace: config.NAMESPACE, log });
const nats = await connectNats({ url: config.NATS_URL, name: "auth", log });
const toBilling = { address: config.BILLING_ADDRESS, internalSecret: config.INTERNAL_SECRET };
const billing = createGrpcClient<AccountServiceServer>(AccountServiceClient, toBilling);
const creditLedger = createGrpcClient<CreditServiceServer>(CreditServiceClient, toBilling);
const priceBook = createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, toBilling);
const mailer = createGrpcClient<MailServiceServer>(MailServiceClient, {
  address: config.MESSAGING_ADDRESS,
  internalSecret: config.INTERNAL_SECRET,
});
const guard = createPrivateAddressGuard({ allowlist: config.PRIVATE_ADDRESS_ALLOWLIST });

// 2. Components
const bus = createBus({ nats, source: "auth", namespace: config.NAMESPACE, log });
const clients = {
  billing,
  creditLedger,
  priceBook,
  mailer,
  fetch: guard.fetch,
  checkAddress: guard.check,
  allowlist: config.PRIVATE_ADDRESS_ALLOWLIST,
  endpoints: config,
};
const auth = await createAuth({
  mongo,
  redis,
  bus,
  ...clients,
  masterKey: config.MASTER_KEY,
  createsFirstToken: config.GENERATE_DEFAULT_TOKEN,
  log,
});
await migrateModels(mongo, "auth", log);
await auth.setup.runFromEnvironment(
  config.ROOT_USERNAME !== undefined && config.ROOT_PASSWORD !== undefined
    ? { username: config.ROOT_USERNAME, password: config.ROOT_PASSWORD }
    : undefined,
);
const namespace = config.NAMESPACE;
const handlers = [onEvent(auditRecorded, auth.storeAction)];
const actions = createEventConsumer({ nats, namespace, work: auditStream(namespace), handlers, log });

// 3. Entry points
const server = createGrpcServer({ log, internalSecret: config.INTERNAL_SECRET });
server.add(AuthServiceService, auth.handlers);
server.add(IdentityServiceService, auth.identity);
server.add(SelfServiceService, auth.self);
server.add(SiteServiceService, auth.site);
server.add(DeclaredServiceService, auth.declared);
server.add(OidcTokenServiceService, auth.oidcTokens);
server.add(PriceHistoryServiceService, auth.priceHistory);
server.add(SecretOptionServiceService, auth.secretOptions);
server.add(NoticeTargetServiceService, auth.noticeTargets);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);

// 4. Start, and shutdown in this order
await startService({
  config,
  log,
  checks: {
    mongodb: () => isMongoReady(mongo),
    redis: async () => (await redis.ping()) === "PONG",
  },
  parts: [
    { name: "grpc", stop: grpc.stop },
    { name: "prices", ...auth.prices },
    { name: "account openings", ...auth.openings },
    { name: "credits", ...auth.credits },
    { name: "audit", ...actions },
    { name: "nats", stop: () => nats.drain() },
    { name: "billing", stop: billing.close },
    { name: "credit ledger", stop: creditLedger.close },
    { name: "price book", stop: priceBook.close },
    { name: "mail", stop: mailer.close },
    { name: "guard", stop: guard.close },
    { name: "redis", stop: () => redis.quit() },
    { name: "mongo", stop: () => mongo.close() },
  ],
  facts: { port: grpc.port },
});
