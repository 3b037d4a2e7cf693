import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { InboxServiceService } from "@turnpike/proto/messaging/v1/inbox_service";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { startOpsServer } from "@turnpike/shared/http/ops-server";
import { onShutdown } from "@turnpike/shared/lifecycle/lifecycle";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/mongo/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { readMessagingConfig } from "./config.ts";
import { createMessaging } from "./messaging.ts";

// 1. Outside world
const config = readMessagingConfig();
const log = createLogger("messaging", config.LOG_LEVEL);
const internalSecret = config.INTERNAL_SECRET;
const mongo = await connectMongo(config.MONGODB_URL);
const nats = await connectNats({ url: config.NATS_URL, name: "messaging", log });
const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, { address: config.AUTH_ADDRESS, internalSecret });

// 2. Our objects
const bus = createBus({ nats, source: "messaging", namespace: config.NAMESPACE, log });
const messaging = createMessaging({ mongo, bus, auth, nowSeconds: () => Math.floor(Date.now() / 1000) });
await migrateModels(mongo, "messaging");

// 3. Entry points
const server = createGrpcServer({ log, internalSecret });
server.add(InboxServiceService, messaging.handlers);
const grpc = await server.listen(config.HOST, config.GRPC_PORT);
const ops = await startOpsServer({
  host: config.HOST,
  port: config.OPS_PORT,
  log,
  checks: { mongodb: async () => (await mongo.db?.command({ ping: 1 }, { timeoutMS: 1_500 })) !== undefined },
});
log.info({ port: grpc.port }, "messaging is up");

// 4. The way down
onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
  { name: "drain", run: ops.drain },
  { name: "grpc", run: grpc.stop },
  { name: "nats", run: () => nats.drain() },
  { name: "auth", run: auth.close },
  { name: "mongo", run: () => mongo.close() },
  { name: "ops", run: ops.stop },
]);
