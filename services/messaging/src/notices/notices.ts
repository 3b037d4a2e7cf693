import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { GetNoticeTargetResponse, NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import { optionsChanged, userChanged } from "@turnpike/shared/events/auth";
import {
  accountsSpent,
  belowCostFound,
  catalogueProposed,
  orderMismatched,
  providerReportsFound,
} from "@turnpike/shared/events/billing";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import { channelAutoDisabled, channelAutoEnabled, channelsTested } from "@turnpike/shared/events/channel";
import { createEventConsumer, onEvent } from "@turnpike/shared/events/event-consumer";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import type { DeliveryEnqueuer } from "../delivery/delivery-enqueuer.ts";
import type { InboxService } from "../inbox/inbox-service.ts";
import type { MailService } from "../mail/mail-service.ts";
import type { WebhookService } from "../webhook/webhook-service.ts";
import { createChannelNotices } from "./channel-notices.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";
import { getNoticeStream } from "./notice-stream.ts";
import { createNotifier } from "./notifier.ts";
import { createQuotaWarnings } from "./quota-warnings.ts";
import { createThresholds } from "./thresholds.ts";

/** Wires the modules that turn events into notices to users. */
export function createNotices(deps: {
  mongo: Connection;
  nats: NatsConnection;
  bus: Bus;
  namespace: string;
  targets: Pick<GrpcClient<NoticeTargetServiceServer>, "listWarningThresholds">;
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  options: Pick<Snapshot<OptionsInForce>, "current">;
  enqueuer: DeliveryEnqueuer;
  mail: MailService;
  webhooks: WebhookService;
  limits: NoticeLimits;
  addToInbox: InboxService["deliver"];
  systemName: () => string;
  nowMs: () => number;
  log: Logger;
}) {
  const { nats, bus, namespace, target, nowMs, log } = deps;
  const notifier = createNotifier(deps);
  const thresholds = createThresholds({ auth: deps.targets, nowMs });
  const warnings = createQuotaWarnings({ thresholds, target, notifier, options: deps.options.current, nowMs });
  const channels = createChannelNotices({ ...deps, notifier, options: deps.options.current });
  bus.listen(userChanged, ({ userId }) => warnings.forget(userId));
  bus.listen(optionsChanged, warnings.forgetAll);
  const handlers = [
    onEvent(accountsSpent, warnings.checkOnce),
    onEvent(channelAutoDisabled, (event) => channels.notify({ ...event, event: "disabled" })),
    onEvent(channelAutoEnabled, (event) => channels.notify({ ...event, reason: "", event: "enabled" })),
    onEvent(channelsTested, channels.notifyTested),
    onEvent(orderMismatched, channels.notifyMismatch),
    onEvent(belowCostFound, channels.notifyBelowCost),
    onEvent(catalogueProposed, channels.notifyCatalogue),
    onEvent(providerReportsFound, channels.notifyReports),
  ];
  const subjects = handlers.map(({ subject }) => subject);
  const work = getNoticeStream(namespace, subjects);
  return createEventConsumer({ nats, namespace, work, handlers, log });
}
