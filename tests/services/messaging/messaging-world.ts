import { PassThrough } from "node:stream";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import {
  NoticeTargetServiceClient,
  type NoticeTargetServiceServer,
} from "@turnpike/proto/auth/v1/notice_target_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
} from "@turnpike/proto/auth/v1/secret_option_service";
import {
  InboxServiceClient,
  type InboxServiceServer,
  InboxServiceService,
} from "@turnpike/proto/messaging/v1/inbox_service";
import {
  MailServiceClient,
  type MailServiceServer,
  MailServiceService,
} from "@turnpike/proto/messaging/v1/mail_service";
import {
  WebhookServiceClient,
  type WebhookServiceServer,
  WebhookServiceService,
} from "@turnpike/proto/messaging/v1/webhook_service";
import { accountsSpent } from "@turnpike/shared/events/billing";
import { connectNats, createBus, getSubject } from "@turnpike/shared/events/bus";
import { getStreamManager } from "@turnpike/shared/events/work-stream";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer } from "@turnpike/shared/grpc/server";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import pino from "pino";
import { vi } from "vitest";
import { createMessaging } from "../../../services/messaging/src/messaging.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startFakeAuth } from "./fake-auth.ts";

const INTERNAL_SECRET = "a secret of the tests";
const MASTER_KEY = "a master key of the tests";
const RETRY_MS = 40;
const STREAM_MS = 10_000;

export const actor = (userId: number, role = 1): { actor: Actor } => ({
  actor: { userId, username: `user${userId}`, role, address: "192.0.2.7" },
});
export const admin = actor(1, 10);

/** A logger whose lines a test can read, to check for text that must not be logged. */
function createReadableLog() {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => void lines.push(chunk.toString()));
  return { log: pino({ level: "debug" }, stream), text: () => lines.join("") };
}

export type World = Awaited<ReturnType<typeof startMessagingWorld>>;
type Options = Partial<Record<OptionKey, string>>;

/** Messaging with real MongoDB and NATS, and a fake auth. `allowlist` opens addresses to webhooks. */
export async function startMessagingWorld(
  config: { allowlist?: readonly string[]; backing?: ReturnType<typeof testBacking> } = {},
) {
  const quiet = createLogger("messaging-test", "silent");
  const readable = createReadableLog();
  const backing = config.backing ?? testBacking();
  const auth = await startFakeAuth({ log: quiet, internalSecret: INTERNAL_SECRET });
  const mongo = await connectMongo(backing.mongodbUrl);
  const nats = await connectNats({ url: backing.natsUrl, name: "messaging-test", log: quiet });
  const bus = createBus({ nats, source: "messaging", namespace: backing.namespace, log: quiet });
  const to = (port: number) => ({ address: `127.0.0.1:${port}`, internalSecret: INTERNAL_SECRET });
  const targets = createGrpcClient<NoticeTargetServiceServer>(NoticeTargetServiceClient, to(auth.port));
  const secrets = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, to(auth.port));
  const guard = createPrivateAddressGuard({ allowlist: config.allowlist ?? [] });
  let inForce = optionsInForce([]);
  const messaging = createMessaging({
    mongo,
    nats,
    bus,
    namespace: backing.namespace,
    targets,
    secrets,
    options: { current: () => inForce, isLoaded: () => true },
    guard,
    masterKey: MASTER_KEY,
    log: readable.log,
    retries: { pollMs: RETRY_MS, backoff: { firstMs: RETRY_MS, maxMs: RETRY_MS } },
  });
  await migrateModels(mongo, "messaging");
  const server = createGrpcServer({ log: quiet, internalSecret: INTERNAL_SECRET });
  server.add(InboxServiceService, messaging.handlers.inbox);
  server.add(MailServiceService, messaging.handlers.mail);
  server.add(WebhookServiceService, messaging.handlers.webhook);
  const listening = await server.listen("127.0.0.1", 0);
  const inbox = createGrpcClient<InboxServiceServer>(InboxServiceClient, to(listening.port));
  const mail = createGrpcClient<MailServiceServer>(MailServiceClient, to(listening.port));
  const webhooks = createGrpcClient<WebhookServiceServer>(WebhookServiceClient, to(listening.port));
  await nats.flush();
  return {
    inbox,
    mail,
    webhooks,
    messaging,
    mongo,
    nats,
    bus,
    auth,
    backing,
    logText: readable.text,
    /** Starts the delivery of notices; returns when there is a stream for their events, which until then are lost. */
    async startNotices(): Promise<void> {
      messaging.queues.start();
      messaging.notices.start();
      const manager = await getStreamManager(nats);
      const subject = getSubject(backing.namespace, accountsSpent.subject);
      await vi.waitFor(() => manager.streams.find(subject), { timeout: STREAM_MS });
    },
    setOptions(options: Options): void {
      inForce = optionsInForce(Object.entries(options).map(([key, value]) => ({ key, value })));
    },
    stop: async (): Promise<void> => {
      for (const client of [inbox, mail, webhooks]) client.close();
      await listening.stop();
      await messaging.notices.stop();
      await messaging.queues.stop();
      for (const client of [targets, secrets]) client.close();
      await auth.stop();
      await guard.close();
      await nats.close();
      await mongo.close();
    },
  };
}
