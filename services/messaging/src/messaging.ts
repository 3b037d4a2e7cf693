import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import type { SecretOptionServiceServer } from "@turnpike/proto/auth/v1/secret_option_service";
import { type AuditOutbox, createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Backoff } from "@turnpike/shared/concurrency/retry";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import { type DeliveryKind, deliveryModel } from "./delivery/delivery-model.ts";
import { createDeliveryQueue, type Send } from "./delivery/delivery-queue.ts";
import { createDeliveryStore } from "./delivery/delivery-store.ts";
import { createDeliveryEnqueuer } from "./delivery/delivery-enqueuer.ts";
import { inboxHandlers } from "./inbox/inbox-handlers.ts";
import { createInboxService } from "./inbox/inbox-service.ts";
import { messageModel, receiptModel } from "./inbox/message-model.ts";
import { createMessageStore } from "./inbox/message-store.ts";
import { createRecipients } from "./inbox/recipients.ts";
import { mailHandlers } from "./mail/mail-handlers.ts";
import { createMailService } from "./mail/mail-service.ts";
import { createSmtpSettings } from "./mail/smtp-settings.ts";
import { createNoticeLimits, noticeLimitModel } from "./delivery/notice-limits.ts";
import { createNotices } from "./notices/notices.ts";
import { createWebhookCall } from "./webhook/webhook-call.ts";
import { webhookHandlers } from "./webhook/webhook-handlers.ts";
import { createWebhookService } from "./webhook/webhook-service.ts";

export type MessagingDeps = {
  readonly mongo: Connection;
  readonly nats: NatsConnection;
  readonly bus: Bus;
  readonly namespace: string;
  readonly targets: Pick<
    GrpcClient<NoticeTargetServiceServer>,
    "getNoticeTarget" | "listUserNames" | "listWarningThresholds"
  >;
  readonly secrets: Pick<GrpcClient<SecretOptionServiceServer>, "getSecretOptions">;
  readonly options: Pick<Snapshot<OptionsInForce>, "current" | "isLoaded">;
  readonly guard: PrivateAddressGuard;
  readonly masterKey: string;
  readonly log: Logger;
  /** Delays between attempts of a delivery; tests set shorter ones. */
  readonly retries?: { readonly pollMs: number; readonly backoff: Backoff };
};

const nowMs = (): number => Date.now();
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function createInbox({ mongo, targets }: MessagingDeps, audit: AuditOutbox) {
  const store = createMessageStore({ mongo, messages: messageModel(mongo), receipts: receiptModel(mongo) });
  const takeId = (): Promise<number> => allocateIds(mongo, "messages");
  return createInboxService({ store, recipients: createRecipients(targets), takeId, audit, nowSeconds });
}

/** The outbound channels: mail, webhooks and their queue. */
function createWaysOut(deps: MessagingDeps) {
  const { mongo, options, secrets, targets, guard, log, retries } = deps;
  const secretBox = createSecretBox(deps.masterKey);
  const store = createDeliveryStore({ deliveries: deliveryModel(mongo), nowMs });
  const enqueuer = createDeliveryEnqueuer({ store, seal: secretBox.seal, nowMs });
  const limits = createNoticeLimits({ limits: noticeLimitModel(mongo), nowMs });
  const readSecret = async (key: string): Promise<string> =>
    (await secrets.getSecretOptions({ keys: [key] })).values[key] ?? "";
  const target = (userId: number) => targets.getNoticeTarget({ userId });
  const worker = async () => {
    const url = options.current().text("WorkerUrl").trim();
    return url === "" ? undefined : { url, key: await readSecret("WorkerValidKey") };
  };
  const systemName = (): string => options.current().text("SystemName");
  const mail = createMailService({ enqueuer, settings: createSmtpSettings({ options, readSecret }), systemName });
  const call = createWebhookCall({ guard, worker });
  const webhooks = createWebhookService({ enqueuer, call, target, limits, nowMs });
  const queue = (kind: DeliveryKind, send: Send) =>
    createDeliveryQueue({ kind, send, rows: store.rows(kind), open: secretBox.open, nowMs, log, ...retries });
  const mails = queue("mail", mail.send);
  const calls = queue("webhook", webhooks.send);
  enqueuer.onPut("mail", mails.wake);
  enqueuer.onPut("webhook", calls.wake);
  return { mail, webhooks, enqueuer, limits, target, systemName, queues: [mails, calls] };
}

/** Wires the service: its RPCs, the outbound queues, and the events it sends notifications for. */
export function createMessaging(deps: MessagingDeps) {
  const ways = createWaysOut(deps);
  const { mongo, nats, namespace, log } = deps;
  const audit = createAuditOutbox({ mongo, nats, namespace, source: "messaging", log });
  const inbox = createInbox(deps, audit);
  return {
    handlers: {
      inbox: withStoreErrors(inboxHandlers(inbox)),
      mail: withStoreErrors(mailHandlers(ways.mail)),
      webhook: withStoreErrors(webhookHandlers(ways.webhooks)),
    },
    queues: {
      start: (): void => ways.queues.forEach((queue) => queue.start()),
      stop: async (): Promise<void> => void (await Promise.all(ways.queues.map((queue) => queue.stop()))),
    },
    /** Sends audit rows to auth, including those that an earlier process left. */
    audit: { start: audit.start, stop: audit.stop },
    notices: createNotices({ ...deps, ...ways, addToInbox: inbox.deliver, nowMs }),
  };
}
