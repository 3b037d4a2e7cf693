import { ROLE } from "../codes.ts";
import { type OptionDefinition, type OptionKey, OPTIONS } from "./option-definitions.ts";

/**
 * Who may change an option: "admin" every administrator; "guarded" every administrator too, but only root while
 * SecretOptionsRootOnly is on (secrets, sign-in, payment, mail); "root" only root, because its content runs as script
 * in every browser, root's included, or because it lets an issuer act for any user.
 */
export type OptionPermission = "admin" | "guarded" | "root";

const ROOT_ONLY: ReadonlySet<string> = new Set(["custom_head_html", "global_js", "global_css", "OidcTokenIssuers"]);
const GUARDED = [
  /^SecretOptionsRootOnly$/,
  /^(Password|Register|Login|EmailVerification|EmailDomain|EmailAlias)/,
  /^(GitHub|LinuxDO|Telegram|WeChat|Turnstile)/,
  /^oidc\./,
  /^SMTP/,
  /^(PayAddress|CustomCallbackAddress|EpayId|Price|MinTopUp|TopupGroupRatio)$/,
  /^Stripe/,
];

/** Who may change an option. */
export function getOptionPermission(key: OptionKey): OptionPermission {
  if (ROOT_ONLY.has(key)) return "root";
  const { secret }: OptionDefinition = OPTIONS[key];
  return secret || GUARDED.some((pattern) => pattern.test(key)) ? "guarded" : "admin";
}

/** Whether a role may change an option; `isGuardOn` is the option SecretOptionsRootOnly. */
export function mayChangeOption(key: OptionKey, role: number, isGuardOn: boolean): boolean {
  if (role >= ROLE.root) return true;
  const permission = getOptionPermission(key);
  return role >= ROLE.admin && permission !== "root" && !(permission === "guarded" && isGuardOn);
}

/** Whether a role may read a non-secret option: administrators may read everything that only root may change. */
export const mayReadOption = (key: OptionKey, role: number, isGuardOn: boolean): boolean =>
  role >= ROLE.admin && (getOptionPermission(key) === "root" || mayChangeOption(key, role, isGuardOn));
