import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import {
  NoticeTargetServiceClient,
  type NoticeTargetServiceServer,
} from "@turnpike/proto/auth/v1/notice_target_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
} from "@turnpike/proto/auth/v1/secret_option_service";
import { InboxServiceService } from "@turnpike/proto/messaging/v1/inbox_service";
import { MailServiceService } from "@turnpike/proto/messaging/v1/mail_service";
import { WebhookServiceService } from "@turnpike/proto/messaging/v1/webhook_service";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo, isMongoReady } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { readMessagingConfig } from "./config.ts";
import { deliveryModel } from "./delivery/delivery-model.ts";
import { createMessaging } from "./messaging.ts";
import { watchDeliveries } from "./delivery/queue-metrics.ts";

// 1. External connections
const config = readMessagingConfig();
const { NAMESPACE: namespace, INTERNAL_SECRET: internalSecret, MASTER_KEY: masterKey } = config;
const log = createLogger("messaging", config.LOG_LEVEL);
const mongo = await connectMongo(config.MONGODB_URL);
const nats = await connectNats({ url: config.NATS_URL, name: "messaging", log });
const toAuth = { address: config.AUTH_ADDRESS, internalSecret };
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, toAuth);
const targets = createGrpcClient<NoticeTargetServiceServer>(NoticeTargetServiceClient, toAuth);
const secrets = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, toAuth);

// 2. Components
const bus = createBus({ nats, source: "messaging", namespace, log });
const options = createOptionsSnapshot({ fetch: () => auth.getOptionsSnapshot({}), bus, log });
const guard = createPrivateAddressGuard({ allowlist: config.PRIVATE_ADDRESS_ALLOWLIST });
const messaging = createMessaging({ mongo, nats, bus, namespace, targets, secrets, options, guard, masterKey, log });
await migrateModels(mongo, "messaging", log);

// 3. Entry points
const server = createGrpcServer({ log, internalSecret });
server.add(InboxServiceService, messaging.handlers.inbox);
server.add(MailServiceService, messaging.handlers.mail);
server.add(WebhookServiceService, messaging.handlers.webhook);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);

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
    { name: "options", start: () => void options.start() },
    { name: "notices", ...messaging.notices },
    { name: "queues", ...messaging.queues },
    { name: "audit", ...messaging.audit },
    { name: "metrics", ...watchDeliveries(deliveryModel(mongo)) },
    { name: "nats", stop: () => nats.drain() },
    { name: "auth", stop: () => [auth, targets, secrets].forEach((client) => client.close()) },
    { name: "guard", stop: guard.close },
    { name: "mongo", stop: () => mongo.close() },
  ],
  facts: { port: grpc.port },
});
