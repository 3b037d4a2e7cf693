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
import { startOpsServer } from "@turnpike/shared/http/ops-server";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { duringStartup } from "@turnpike/shared/lifecycle/readiness";
import { onShutdown } from "@turnpike/shared/lifecycle/shutdown";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
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
void options.start();
messaging.queues.start();
messaging.notices.start();
messaging.audit.start();
const metrics = watchDeliveries(deliveryModel(mongo));
metrics.start();
const ops = await startOpsServer({
  host: config.HOST,
  port: config.OPS_PORT,
  log,
  checks: {
    mongodb: async () => (await mongo.db?.command({ ping: 1 }, { timeoutMS: 1_500 })) !== undefined,
    options: duringStartup(options.isLoaded),
  },
});
log.info({ port: grpc.port }, "messaging started");

// 4. Graceful shutdown
onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
  { name: "drain", run: ops.drain },
  { name: "grpc", run: grpc.stop },
  { name: "notices", run: messaging.notices.stop },
  { name: "queues", run: messaging.queues.stop },
  { name: "audit", run: messaging.audit.stop },
  { name: "metrics", run: metrics.stop },
  { name: "nats", run: () => nats.drain() },
  { name: "auth", run: () => [auth, targets, secrets].forEach((client) => client.close()) },
  { name: "guard", run: guard.close },
  { name: "mongo", run: () => mongo.close() },
  { name: "ops", run: ops.stop },
]);
