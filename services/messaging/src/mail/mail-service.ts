import { randomUUID } from "node:crypto";
import type { SendMailRequest } from "@turnpike/proto/messaging/v1/mail_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { DeliveryFailure } from "../delivery/delivery-failure.ts";
import type { Send } from "../delivery/delivery-queue.ts";
import type { DeliveryEnqueuer } from "../delivery/delivery-enqueuer.ts";
import { parseAddress } from "./mail-address.ts";
import { type MailLanguage, mailFromTemplate, type Params } from "./mail-templates.ts";
import { sendBySmtp } from "./smtp-sender.ts";
import type { ReadSmtpSettings } from "./smtp-settings.ts";

export type MailService = ReturnType<typeof createMailService>;
export type NewMail = {
  readonly to: string;
  readonly template: string;
  readonly language: MailLanguage;
  readonly params: Params;
  readonly idempotencyKey: string;
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const QueuedMail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });

/** An expired code or link is useless: such mail is sent only while it is valid, all other mail within a day. */
function getLifeMs({ minutes }: Params): number {
  const valid = Number(minutes);
  return valid > 0 ? Math.min(DAY_MS, valid * MINUTE_MS) : DAY_MS;
}

/** Outgoing mail: written from templates, queued, sent with the operator's settings. */
export function createMailService(deps: {
  enqueuer: DeliveryEnqueuer;
  settings: ReadSmtpSettings;
  systemName: () => string;
}) {
  const { enqueuer, settings, systemName } = deps;
  const write = ({ template, language, params }: Pick<NewMail, "template" | "language" | "params">) =>
    mailFromTemplate(template, language, { system_name: systemName(), ...params });
  return {
    /** Throws mail_not_configured when no mail can be sent, or unavailable. */
    checkConfigured: settings.check,
    /** Queues one mail; throws mail_not_configured, mail_address_invalid or invalid_input. In a transaction, wake the enqueuer after it. */
    async queue(mail: NewMail, session?: ClientSession): Promise<void> {
      const to = parseAddress(mail.to);
      const content = write(mail);
      settings.check();
      const { idempotencyKey, params } = mail;
      const payload = JSON.stringify({ to, ...content });
      await enqueuer.put({ kind: "mail", payload, lifeMs: getLifeMs(params), idempotencyKey }, session);
    },
    /** The same for a request of another service. */
    queueRequest({ language, ...request }: SendMailRequest): Promise<void> {
      return this.queue({ ...request, language: language === "en" ? "en" : "zh" });
    },
    /**
     * Sends a test now; throws mail_not_configured, mail_address_invalid, or mail_send_failed with the server's reply.
     */
    async sendTest(address: string): Promise<void> {
      const to = parseAddress(address);
      const content = write({ template: "test", language: "both", params: {} });
      const smtp = await settings.read();
      try {
        await sendBySmtp({ ...content, to, id: randomUUID() }, smtp);
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        throw new AppError("mail_send_failed", error.detail, { params: { detail: error.detail } });
      }
    },
    /** Sends a queued mail. */
    send: (async ({ id, payload }) => {
      const mail = QueuedMail.parse(JSON.parse(payload));
      const smtp = await settings.read().catch((error: unknown) => {
        throw new DeliveryFailure(error instanceof AppError ? error.code : "the settings cannot be read");
      });
      await sendBySmtp({ ...mail, id }, smtp);
    }) satisfies Send,
  };
}
