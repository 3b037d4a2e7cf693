import { createTransport, type SendMailOptions, type Transporter } from "nodemailer";
import { DeliveryFailure } from "../delivery/delivery-failure.ts";
import type { MailContent } from "./mail-text.ts";
import type { SmtpSettings } from "./smtp-settings.ts";

export type OutgoingMail = MailContent & { readonly to: string; readonly id: string };

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;
const SEND_TIMEOUT_MS = 40_000;
const DETAIL_LENGTH_MAX = 300;

/** No network lies between the service and a server on this machine, so its certificate proves nothing that matters. */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/**
 * Credentials are never sent in clear text: with an account, a remote server must offer STARTTLS. Without one, STARTTLS
 * is used where it works.
 */
function createSmtpTransport(settings: SmtpSettings): Transporter {
  const { host, port, isSecure, account, password } = settings;
  const isLocal = isLoopback(host);
  return createTransport({
    host: host.replace(/^\[|\]$/g, ""),
    port,
    secure: isSecure,
    ...(account === "" ? {} : { auth: { user: account, pass: password } }),
    requireTLS: account !== "" && !isSecure && !isLocal,
    opportunisticTLS: !isSecure && (account === "" || isLocal),
    tls: { rejectUnauthorized: !isLocal, minVersion: "TLSv1.2" },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The failure's description, without the password in any form that a server may have echoed. */
function getDetail(error: unknown, { account, password }: SmtpSettings): string {
  const errorText = error instanceof Error ? error.message : String(error);
  const forms = [password, Buffer.from(password), Buffer.from(`\0${account}\0${password}`)]
    .map((form) => (typeof form === "string" ? form : form.toString("base64")))
    .filter((form) => form !== "");
  const clean = forms.reduce((text, form) => text.replaceAll(form, "***"), errorText);
  return clean.replace(/\s+/g, " ").trim().slice(0, DETAIL_LENGTH_MAX);
}

/**
 * The server permanently rejected this mail or its recipient. A rejected login is not permanent: the operator may fix
 * it.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === "EENVELOPE" || code === "EMESSAGE") && Number(responseCode) >= 500;
}

async function withDeadline(run: Promise<unknown>, onLate: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error("the mail server did not respond in time"));
    }, SEND_TIMEOUT_MS);
  });
  try {
    await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends one mail now, within 40 seconds; throws DeliveryFailure, whose detail holds no secret. */
export async function sendBySmtp(mail: OutgoingMail, settings: SmtpSettings): Promise<void> {
  const { from, fromName } = settings;
  const domain = from.replace(/^.*@/, "").replace(/[^\w.-]/g, "") || "localhost";
  const message: SendMailOptions = {
    from: from.includes("<") ? from : { name: fromName, address: from },
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // The same for each attempt, so that duplicates of an accepted mail can be recognised.
    messageId: `<${mail.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
  try {
    const transport = createSmtpTransport(settings);
    await withDeadline(transport.sendMail(message), () => transport.close());
  } catch (error) {
    throw new DeliveryFailure(getDetail(error, settings), { isFinal: isFinal(error) });
  }
}
