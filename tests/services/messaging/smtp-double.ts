import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type Received = {
  readonly to: readonly string[];
  readonly mail: Email;
  readonly raw: string;
  readonly isTls: boolean;
};

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/**
 * A real SMTP server that stores what it receives. It knows one account (mailer / smtp-pass-word); `failures` refuses
 * that many mails first, with the given code.
 */
export async function startSmtp(options: SMTPServerOptions & { port?: number } = {}) {
  const state = {
    received: [] as Received[],
    failures: 0,
    failureCode: 451,
    refuseRecipients: false,
    signIns: [] as { user: string; isTls: boolean }[],
  };
  const { port = 0, ...settings } = options;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    ...settings,
    onAuth(auth, session, done) {
      state.signIns.push({ user: String(auth.username), isTls: session.secure });
      if (auth.username === "mailer" && auth.password === "smtp-pass-word") return done(null, { user: "mailer" });
      // Some servers repeat secrets in their messages.
      done(refusal(535, `5.7.8 authentication failed for ${auth.username} with ${auth.password}`));
    },
    onRcptTo(address, _session, done) {
      done(state.refuseRecipients ? refusal(550, `no such mailbox ${address.address}`) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        if (state.failures > 0) {
          state.failures--;
          return done(refusal(state.failureCode, "try again later"));
        }
        const raw = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        PostalMime.parse(raw).then((mail) => {
          state.received.push({ to, mail, raw, isTls: session.secure });
          done();
        }, done);
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: listening } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    port: listening,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
export type SmtpDouble = Awaited<ReturnType<typeof startSmtp>>;
