import { ROLE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { hashPassword } from "../users/password-hash.ts";
import type { Turnstile } from "../limits/turnstile.ts";
import { parsePassword, parseUsername, toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";
import type { EmailCodes } from "./email-codes.ts";
import { checkEmailAllowed, parseEmail } from "./email-rules.ts";
import type { NewAccounts } from "./new-account.ts";

export type RegistrationForm = {
  readonly username: string;
  readonly password: string;
  readonly passwordAgain?: string | undefined;
  readonly email: string;
  readonly verificationCode: string;
  readonly affCode: string;
  readonly visitor: Visitor | undefined;
};
export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Throws register_disabled while registration is off. */
export function checkRegistrationOpen(options: OptionsInForce): void {
  if (!options.flag("RegisterEnabled")) throw new AppError("register_disabled", "registration is switched off");
}

function readForm(form: RegistrationForm): { username: string; password: string } {
  if (form.username.trim() === "" || form.password === "")
    throw new AppError("credentials_required", "user name or password is empty");
  const username = parseUsername(form.username);
  const password = parsePassword(form.password);
  if (form.passwordAgain !== undefined && form.passwordAgain !== password)
    throw new AppError("passwords_differ", "the passwords differ");
  return { username, password };
}

/** Registration by password. */
export function createRegistrationService(deps: {
  users: UserStore;
  accounts: NewAccounts;
  emailCodes: EmailCodes;
  limits: AttemptLimits;
  turnstile: Turnstile;
  options: OptionReader;
}) {
  const { users, accounts, emailCodes, limits, turnstile, options } = deps;

  /**
   * The verified address, or none when it is not required. Everything else that may fail is checked before the code is
   * consumed.
   */
  const proveEmail = async (form: RegistrationForm, inForce: OptionsInForce): Promise<string> => {
    if (!inForce.flag("EmailVerificationEnabled")) return "";
    if (form.email.trim() === "" || form.verificationCode.trim() === "")
      throw new AppError("email_and_code_required", "address or code is missing");
    const email = parseEmail(form.email);
    checkEmailAllowed(email, inForce);
    if (await users.findByEmail(toNameKey(email))) throw new AppError("email_taken", "the address is in use");
    await emailCodes.take(email, form.verificationCode, form.visitor?.address ?? "");
    return email;
  };
  return {
    /**
     * Creates an account without signing in. Throws register_disabled, password_register_disabled, rate_limited,
     * username_taken, email_taken, verification_code_wrong, the errors of the Turnstile check, or those of an invalid
     * field.
     */
    async register(form: RegistrationForm): Promise<UserDoc> {
      await limits.takeFrom(ADDRESS_LIMITS.register, form.visitor?.address ?? "");
      await turnstile.check(form.visitor);
      const inForce = await options.inForce();
      checkRegistrationOpen(inForce);
      if (!inForce.flag("PasswordRegisterEnabled"))
        throw new AppError("password_register_disabled", "registration by password is switched off");
      const { username, password } = readForm(form);
      if (await users.findByName(username))
        throw new AppError("username_taken", "the user name is taken", { params: { username } });
      const email = await proveEmail(form, inForce);
      const passwordHash = await hashPassword(password);
      return accounts.make({
        about: () => ({
          username,
          displayName: username,
          passwordHash,
          mustChangePassword: false,
          role: ROLE.user,
          email,
          emailLower: toNameKey(email),
        }),
        affCode: form.affCode,
      });
    },
  };
}
