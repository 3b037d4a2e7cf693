import type { SiteStatus } from "@turnpike/contract/api/status";
import { hasPasskeys } from "../../lib/session/passkey-support.ts";
import { useSiteStatus } from "../../lib/status.ts";

/** The site's offer to visitors. */
export type SignInOptions = {
  readonly password: boolean;
  /** Any way besides the password. */
  readonly others: boolean;
  /** New accounts, in any way. */
  readonly registration: boolean;
  /** New accounts with a password. */
  readonly passwordRegistration: boolean;
};

/** Reads the site's switches. Nothing is offered before they are loaded. */
export function toSignInOptions(status: SiteStatus | undefined, passkeys: boolean): SignInOptions {
  if (!status) return { password: false, others: false, registration: false, passwordRegistration: false };
  const { github_oauth, oidc_enabled, linuxdo_oauth, wechat_login, telegram_oauth } = status;
  const registration = status.register_enabled && !status.self_use_mode_enabled;
  return {
    password: status.password_login,
    others: passkeys || github_oauth || oidc_enabled || linuxdo_oauth || wechat_login || telegram_oauth,
    registration,
    passwordRegistration: registration && status.password_register,
  };
}

/** The same for this site and this browser. */
export const useSignInOptions = (): SignInOptions => toSignInOptions(useSiteStatus(), hasPasskeys());
