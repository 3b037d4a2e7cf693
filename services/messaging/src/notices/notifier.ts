import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { DeliveryEnqueuer } from "../delivery/delivery-enqueuer.ts";
import { parseAddress } from "../mail/mail-address.ts";
import type { MailService } from "../mail/mail-service.ts";
import { fillTemplate, type Params } from "../mail/mail-templates.ts";
import { writeMail } from "../mail/mail-text.ts";
import { noticesDecided } from "../delivery/metrics.ts";
import type { WebhookService } from "../webhook/webhook-service.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";

/** A notice to one user, sent where they chose. `limit` holds per user and type. */
export type Notice = {
  readonly template:
    | "quota_warning"
    | "channel_notice"
    | "channels_tested"
    | "below_cost"
    | "catalogue_proposed"
    | "provider_reports"
    | "payment_mismatch";
  readonly type: string;
  readonly params: Params;
  readonly values: readonly string[];
  readonly limit: { readonly limit: number; readonly windowMs: number };
};
/** "no_address": the user has no address, or the site no mail server. */
export type NoticeOutcome = "queued" | "limited" | "no_address";
export type Notifier = ReturnType<typeof createNotifier>;

type Route = "mail" | "webhook" | undefined;

function isAddress(text: string): boolean {
  try {
    return parseAddress(text) !== "";
  } catch {
    return false;
  }
}

/** Notifies users by mail or webhook, as they chose, within limits. */
export function createNotifier(deps: {
  mongo: Connection;
  enqueuer: DeliveryEnqueuer;
  mail: MailService;
  webhooks: WebhookService;
  limits: NoticeLimits;
  systemName: () => string;
}) {
  const { mongo, enqueuer, mail, webhooks, limits, systemName } = deps;

  const canMail = (): boolean => {
    try {
      mail.checkConfigured();
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === "mail_not_configured") return false;
      throw error;
    }
  };
  const findRoute = ({ notifyType, webhookUrl, email }: GetNoticeTargetResponse): Route => {
    if (notifyType === "webhook" && webhookUrl !== "") return "webhook";
    return isAddress(email) && canMail() ? "mail" : undefined;
  };
  const put = async (
    route: "mail" | "webhook",
    to: GetNoticeTargetResponse,
    notice: Notice,
    session: ClientSession,
  ): Promise<void> => {
    const { template, type, values } = notice;
    const params = { system_name: systemName(), username: to.username, ...notice.params };
    if (route === "mail")
      return mail.queue({ to: to.email, template, language: "both", params, idempotencyKey: "" }, session);
    const { subject, text } = writeMail(fillTemplate(template, "both", params));
    const payload = { type, title: subject, content: text.trim(), values };
    return webhooks.queue({ userId: to.userId, notice: payload, idempotencyKey: "" }, session);
  };
  return {
    /** Queues a notice and counts it in one transaction. Throws unavailable. */
    async notify(to: GetNoticeTargetResponse, notice: Notice): Promise<NoticeOutcome> {
      const route = findRoute(to);
      const outcome = route
        ? await inTransaction(mongo, async (session): Promise<NoticeOutcome> => {
            const wait = await limits.take(`${notice.type}:${to.userId}`, notice.limit, session);
            if (wait > 0) return "limited";
            await put(route, to, notice, session);
            return "queued";
          })
        : "no_address";
      if (route && outcome === "queued") enqueuer.wake(route);
      noticesDecided.inc({ notice: notice.template, outcome });
      return outcome;
    },
  };
}
