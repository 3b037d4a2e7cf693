import { randomInt } from "node:crypto";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { z } from "zod";
import type { TicketKind, TicketStore } from "../codes/ticket-store.ts";
import { findSiteAddress, siteAddressUnknown } from "../options/site-address.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { hashPassword } from "../users/password-hash.ts";
import type { Turnstile } from "../limits/turnstile.ts";
import { isInGoodStanding } from "../users/user.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore, UserWrite } from "../users/user-store.ts";
import { countMailTo } from "./email-codes.ts";
import { parseEmail } from "./email-rules.ts";
import { type Mailer, queueMail } from "./mail.ts";

export type PasswordReset = ReturnType<typeof createPasswordReset>;

const LIFE_MINUTES = 10;
const PASSWORD_LENGTH = 16;
const PASSWORD_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789";

const LinkPayload = z.object({ userId: z.int(), emailLower: z.string(), epoch: z.int() });
/**
 * A link is valid only while the password it replaces is current: its first use invalidates all other links of the
 * user.
 */
const LINK: TicketKind<z.infer<typeof LinkPayload>> = {
  name: "password-reset",
  payload: LinkPayload,
  lifeSeconds: LIFE_MINUTES * 60,
};

const newPassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join("");

const invalid = (): AppError => new AppError("reset_link_invalid", "the reset link is not valid");

/** Password reset: a single-use link by mail. */
export function createPasswordReset(deps: {
  users: UserStore;
  changes: UserChanges;
  tickets: TicketStore;
  limits: AttemptLimits;
  turnstile: Turnstile;
  options: OptionReader;
  mailer: Mailer;
  log: Logger;
}) {
  const { users, changes, tickets, limits, turnstile, options, mailer, log } = deps;

  const sendLink = async (user: UserDoc, site: string, language: string): Promise<void> => {
    const inForce = await options.inForce();
    const token = await tickets.issue(LINK, {
      userId: user._id,
      emailLower: user.emailLower,
      epoch: user.sessionEpoch,
    });
    const query = new URLSearchParams({ email: user.email, token });
    const params = {
      link: `${site}/user/reset?${query.toString()}`,
      minutes: String(LIFE_MINUTES),
      system_name: inForce.text("SystemName"),
    };
    await queueMail(mailer, { to: user.email, template: "password_reset", language, params });
  };
  return {
    /**
     * Mails a link when the address belongs to a user. The response and its timing are the same otherwise, to not
     * reveal who has an account. The link begins with ServerAddress only: whoever sends the request chooses its
     * headers, and the link leads to another site. Throws site_address_unknown, email_invalid, rate_limited, and the
     * errors of the Turnstile check.
     */
    async request(rawEmail: string, visitor: Visitor | undefined): Promise<void> {
      await limits.takeFrom(ADDRESS_LIMITS.mail, visitor?.address ?? "");
      await turnstile.check(visitor);
      const site = findSiteAddress(await options.inForce());
      if (site === undefined) throw siteAddressUnknown();
      const email = parseEmail(rawEmail);
      await countMailTo(limits, `reset ${email}`);
      const user = await users.findByEmail(toNameKey(email));
      if (!user || !isInGoodStanding(user)) return;
      sendLink(user, site, visitor?.language ?? "").catch((error: unknown) =>
        log.warn({ err: error, userId: user._id }, "password reset mail could not be queued"),
      );
    },
    /** Returns a new password for a link's token and ends all sessions; throws reset_link_invalid, rate_limited. */
    async finish(rawEmail: string, token: string, visitor: Visitor | undefined): Promise<string> {
      await limits.takeFrom(ADDRESS_LIMITS.reset, visitor?.address ?? "");
      const link = await tickets.take(LINK, token);
      if (!link || link.emailLower !== toNameKey(rawEmail.trim())) throw invalid();
      const password = newPassword();
      const passwordHash = await hashPassword(password);
      const plan = (target: UserDoc): UserWrite => {
        const isStillTheirs = target.emailLower === link.emailLower && target.sessionEpoch === link.epoch;
        if (!isStillTheirs || !isInGoodStanding(target)) throw invalid();
        return { set: { passwordHash, mustChangePassword: true }, endsSessions: { survivorHash: "" } };
      };
      await changes.apply({ id: link.userId, plan });
      return password;
    },
  };
}
