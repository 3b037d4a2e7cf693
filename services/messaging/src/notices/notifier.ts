import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { Outbox } from "../delivery/outbox.ts";
import { parseAddress } from "../mail/mail-address.ts";
import type { MailService } from "../mail/mail-service.ts";
import { fillTemplate, type Params } from "../mail/mail-templates.ts";
import { writeMail } from "../mail/mail-text.ts";
import { noticesDecided } from "../delivery/metrics.ts";
import type { WebhookService } from "../webhook/webhook-service.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";

/** Something to tell one user, where they want it. `limit` holds per user and type. */
export type Notice = {
  readonly template: "quota_warning" | "channel_notice" | "channels_tested";
  readonly type: string;
  readonly params: Params;
  readonly values: readonly string[];
  readonly limit: { readonly limit: number; readonly windowMs: number };
};
/** "nowhere": the user has no address, or the site no mail server. */
export type NoticeOutcome = "queued" | "limited" | "nowhere";
export type Notifier = ReturnType<typeof createNotifier>;

type Route = "mail" | "webhook" | undefined;

function isAddress(text: string): boolean {
  try {
    return parseAddress(text) !== "";
  } catch {
    return false;
  }
}

/** Tells users things by mail or webhook, as they chose, and not too often. */
export function createNotifier(deps: {
  mongo: Connection;
  outbox: Outbox;
  mail: MailService;
  webhooks: WebhookService;
  limits: NoticeLimits;
  systemName: () => string;
}) {
  const { mongo, outbox, mail, webhooks, limits, systemName } = deps;

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
    const told = { type, title: subject, content: text.trim(), values };
    return webhooks.queue({ userId: to.userId, notice: told, idempotencyKey: "" }, session);
  };
  return {
    /** Queues a notice, and counts it, in one step: neither is lost without the other. Throws unavailable. */
    async notify(to: GetNoticeTargetResponse, notice: Notice): Promise<NoticeOutcome> {
      const route = findRoute(to);
      const outcome = route
        ? await inTransaction(mongo, async (session): Promise<NoticeOutcome> => {
            const wait = await limits.take(`${notice.type}:${to.userId}`, notice.limit, session);
            if (wait > 0) return "limited";
            await put(route, to, notice, session);
            return "queued";
          })
        : "nowhere";
      if (route && outcome === "queued") outbox.wake(route);
      noticesDecided.inc({ notice: notice.template, outcome });
      return outcome;
    },
  };
}
