import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import type { Turnstile } from "../limits/turnstile.ts";
import { isInGoodStanding } from "../users/user.ts";
import { toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";
import type { PasswordCheck } from "./password-check.ts";
import type { SignInFinish } from "./sign-in-finish.ts";

export type SignIn = {
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly userAgent: string;
  readonly visitor?: Visitor | undefined;
};
export type SignInService = ReturnType<typeof createSignInService>;

/** The key under which failures of an account are counted, so that user name and e-mail share one count. */
export const getAccountName = (user: UserDoc | undefined, name: string): string =>
  user ? `user ${user._id}` : `name ${toNameKey(name.trim())}`;

/** Signs users in by password. */
export function createSignInService(deps: {
  users: UserStore;
  finish: SignInFinish;
  turnstile: Turnstile;
  passwords: PasswordCheck;
  options: OptionReader;
}) {
  const { users, finish, turnstile, passwords, options } = deps;
  return {
    /**
     * Opens a session, or requires the second factor. Throws password_login_disabled, credentials_required,
     * login_rate_limited, the errors of the Turnstile check, or login_failed for every wrong combination alike.
     */
    async signIn({ username, password, address, userAgent, visitor: sent }: SignIn): Promise<SignedIn> {
      const visitor = { browserId: "", turnstileToken: "", language: "", ...sent, address, userAgent };
      await turnstile.check(visitor);
      if (!(await options.inForce()).flag("PasswordLoginEnabled"))
        throw new AppError("password_login_disabled", "sign-in by password is switched off");
      if (username.trim() === "" || password === "") throw new AppError("credentials_required", "a field is empty");
      const user = await users.findBySignIn(username);
      const passes = await passwords.passes({
        account: getAccountName(user, username),
        address,
        password,
        passwordHash: user?.passwordHash,
        isWelcome: user !== undefined && isInGoodStanding(user),
      });
      if (!passes || !user) throw new AppError("login_failed", "the sign-in is refused");
      return finish.openOrWait(user, visitor);
    },
  };
}
