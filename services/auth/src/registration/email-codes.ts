import { randomInt } from "node:crypto";
import { dropInvisible } from "@turnpike/contract/texts/typed-text";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CodeStore } from "../codes/code-store.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS, EMAIL_LIMITS } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { Turnstile } from "../limits/turnstile.ts";
import { toNameKey } from "../users/user-input.ts";
import type { UserStore } from "../users/user-store.ts";
import { checkEmailAllowed, parseEmail } from "./email-rules.ts";
import { type Mailer, queueMail } from "./mail.ts";

export type EmailCodes = ReturnType<typeof createEmailCodes>;

const LIFE_MINUTES = 10;
const TRIES_MAX = 5;
const DIGITS = 6;

const getSubject = (email: string) => ({ purpose: "email", subject: toNameKey(email) });
const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");

/** Counts a mail to one address, to protect it from flooding; returns a function that undoes the count. */
export async function countMailTo(limits: AttemptLimits, email: string): Promise<() => Promise<void>> {
  const pause = await limits.take(EMAIL_LIMITS.pause, toNameKey(email));
  try {
    const hourly = await limits.take(EMAIL_LIMITS.hourly, toNameKey(email));
    return async () => void (await Promise.all([pause.undo(), hourly.undo()]));
  } catch (error) {
    await pause.undo();
    throw error;
  }
}

/** Codes that prove control of an e-mail address. */
export function createEmailCodes(deps: {
  users: UserStore;
  codes: CodeStore;
  limits: AttemptLimits;
  turnstile: Turnstile;
  options: OptionReader;
  mailer: Mailer;
}) {
  const { users, codes, limits, turnstile, options, mailer } = deps;
  return {
    /**
     * Mails a code that is valid for ten minutes; an older one is replaced. Throws email_invalid,
     * email_domain_not_allowed, email_alias_not_allowed, email_taken, rate_limited, the errors of the Turnstile check,
     * and unavailable when the mail could not be queued.
     */
    async send(rawEmail: string, visitor: Visitor | undefined): Promise<void> {
      await limits.takeFrom(ADDRESS_LIMITS.mail, visitor?.address ?? "");
      await turnstile.check(visitor);
      const inForce = await options.inForce();
      const email = parseEmail(rawEmail);
      checkEmailAllowed(email, inForce);
      if (await users.findByEmail(toNameKey(email))) throw new AppError("email_taken", "the address is in use");
      const undo = await countMailTo(limits, email);
      const code = newCode();
      try {
        await codes.put(getSubject(email), code, { lifeSeconds: LIFE_MINUTES * 60, triesMax: TRIES_MAX });
        const params = { code, minutes: String(LIFE_MINUTES), system_name: inForce.text("SystemName") };
        await queueMail(mailer, {
          to: email,
          template: "verification_code",
          language: visitor?.language ?? "",
          params,
        });
      } catch (error) {
        await undo();
        throw error;
      }
    },
    /**
     * Consumes a code; throws verification_code_wrong, and rate_limited after too many wrong ones from one network
     * address.
     */
    async take(email: string, code: string, address: string): Promise<void> {
      const attempt = await limits.takeFrom(ADDRESS_LIMITS.codeCheck, address);
      if (!(await codes.take(getSubject(email), dropInvisible(code))))
        throw new AppError("verification_code_wrong", "the code is wrong or has expired");
      await attempt.undo();
    },
  };
}
