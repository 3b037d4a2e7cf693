import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";

/** Connection to the operator's mail server; `password` is a secret. */
export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, instead of STARTTLS where the server offers it. */
  readonly isSecure: boolean;
  readonly account: string;
  readonly password: string;
  readonly from: string;
  readonly fromName: string;
};
export type ReadSmtpSettings = ReturnType<typeof createSmtpSettings>;

const IMPLICIT_TLS_PORT = 465;

/** Reads the mail settings in force; throws mail_not_configured, or unavailable while auth is down. */
export function createSmtpSettings(deps: {
  options: Pick<Snapshot<OptionsInForce>, "current" | "isLoaded">;
  readSecret: (key: "SMTPToken") => Promise<string>;
}) {
  const open = () => {
    if (!deps.options.isLoaded()) throw new AppError("unavailable", "the options are not loaded yet");
    const options = deps.options.current();
    const [host, account] = [options.text("SMTPServer").trim(), options.text("SMTPAccount").trim()];
    const from = options.text("SMTPFrom").trim() || account;
    if (host === "" || from === "") throw new AppError("mail_not_configured", "no SMTP server or sender");
    const port = options.number("SMTPPort");
    const isSecure = options.flag("SMTPSSLEnabled") || port === IMPLICIT_TLS_PORT;
    return { host, port, isSecure, account, from, fromName: options.text("SystemName") };
  };
  return {
    /** Throws like `read` for what is known without a request to auth. */
    check: (): void => void open(),
    read: async (): Promise<SmtpSettings> => {
      const settings = open();
      return { ...settings, password: settings.account === "" ? "" : await deps.readSecret("SMTPToken") };
    },
  };
}
