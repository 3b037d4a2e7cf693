import type { MailServiceServer } from "@turnpike/proto/messaging/v1/mail_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Mailer = Pick<GrpcClient<MailServiceServer>, "sendMail">;
/** One mail from a template, to one address. */
export type Mail = {
  readonly to: string;
  readonly template: "verification_code" | "password_reset";
  readonly language: string;
  readonly params: Readonly<Record<string, string>>;
};

const CALL_TIMEOUT_MS = 3_000;

/** Sends a mail to messaging, which queues it; throws `unavailable` when messaging is down. */
export async function queueMail(mailer: Mailer, { language, ...mail }: Mail): Promise<void> {
  await mailer.sendMail(
    { ...mail, language: language === "en" ? "en" : "zh", idempotencyKey: "" },
    { timeoutMs: CALL_TIMEOUT_MS },
  );
}
