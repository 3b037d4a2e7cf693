import { ROLE } from "../limits.ts";
import { type OptionDefinition, type OptionKey, OPTIONS } from "./option-definitions.ts";

/**
 * Who may change an option: "admin" every admin; "guarded" as well, but only root while SecretOptionsRootOnly is on
 * (secrets, sign-in, payment, mail); "root" only root, since its content runs as script in every browser, root's
 * included.
 */
export type OptionPermission = "admin" | "guarded" | "root";

const ROOT_ONLY: ReadonlySet<string> = new Set(["custom_head_html", "global_js", "global_css"]);
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
  const keeper = getOptionPermission(key);
  return role >= ROLE.admin && keeper !== "root" && !(keeper === "guarded" && isGuardOn);
}

/** Whether a role may read a non-secret option: admins may read everything that runs in browsers. */
export const mayReadOption = (key: OptionKey, role: number, isGuardOn: boolean): boolean =>
  role >= ROLE.admin && (getOptionPermission(key) === "root" || mayChangeOption(key, role, isGuardOn));
