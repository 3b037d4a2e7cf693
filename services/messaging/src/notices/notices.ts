import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { GetNoticeTargetResponse, NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import { optionsChanged, userChanged } from "@turnpike/shared/events/auth";
import { accountsSpent } from "@turnpike/shared/events/billing";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import { channelAutoDisabled, channelAutoEnabled, channelsTested } from "@turnpike/shared/events/channel";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import type { Outbox } from "../delivery/outbox.ts";
import type { InboxService } from "../inbox/inbox-service.ts";
import type { MailService } from "../mail/mail-service.ts";
import type { WebhookService } from "../webhook/webhook-service.ts";
import { createChannelNotices } from "./channel-notices.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";
import { createNoticeStream, subscription } from "./notice-stream.ts";
import { createNotifier } from "./notifier.ts";
import { createQuotaWarnings } from "./quota-warnings.ts";
import { createThresholds } from "./thresholds.ts";

/** Joins what turns events into notices to people. */
export function createNotices(deps: {
  mongo: Connection;
  nats: NatsConnection;
  bus: Bus;
  namespace: string;
  targets: Pick<GrpcClient<NoticeTargetServiceServer>, "listWarningThresholds">;
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  options: Pick<Snapshot<OptionsInForce>, "current">;
  outbox: Outbox;
  mail: MailService;
  webhooks: WebhookService;
  limits: NoticeLimits;
  addToInbox: InboxService["tell"];
  systemName: () => string;
  nowMs: () => number;
  log: Logger;
}) {
  const { bus, target, nowMs, log } = deps;
  const notifier = createNotifier(deps);
  const thresholds = createThresholds({ auth: deps.targets, nowMs });
  const warnings = createQuotaWarnings({ thresholds, target, notifier, options: deps.options.current, nowMs });
  const channels = createChannelNotices({ ...deps, notifier });
  bus.listen(userChanged, ({ userId }) => warnings.forget(userId));
  bus.listen(optionsChanged, warnings.forgetAll);
  return createNoticeStream({
    nats: deps.nats,
    namespace: deps.namespace,
    subscriptions: [
      subscription(accountsSpent, warnings.look),
      subscription(channelAutoDisabled, (event) => channels.tell({ ...event, event: "disabled" })),
      subscription(channelAutoEnabled, (event) => channels.tell({ ...event, reason: "", event: "enabled" })),
      subscription(channelsTested, channels.tellTested),
    ],
    log,
  });
}
