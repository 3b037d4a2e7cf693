import { ROLE } from "@turnpike/contract/limits";
import { isOptionKey, type OptionKey } from "@turnpike/contract/options/option-definitions";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isSecretOption } from "./option-reader.ts";

/** Names of sign-in, payment and mail settings; with the secrets they are root's alone while SecretOptionsRootOnly is on. */
const GUARDED = [
  /^SecretOptionsRootOnly$/,
  /^(Password|Register|Login|EmailVerification|EmailDomain|EmailAlias)/,
  /^(GitHub|LinuxDO|Telegram|WeChat|Turnstile)/,
  /^oidc\./,
  /^SMTP/,
  /^(PayAddress|CustomCallbackAddress|EpayId|Price|MinTopUp|TopupGroupRatio)$/,
  /^Stripe/,
];

/** Whether an option is kept for root while SecretOptionsRootOnly is on. */
export const isGuarded = (key: OptionKey): boolean =>
  isSecretOption(key) || GUARDED.some((pattern) => pattern.test(key));

/** Whether a role may see and change an option. */
export const mayUse = (key: OptionKey, role: number, isRootOnly: boolean): boolean =>
  role >= ROLE.root || (role >= ROLE.admin && !(isRootOnly && isGuarded(key)));

/** Reads an option's name; throws option_unknown. */
export function parseOptionKey(key: string): OptionKey {
  if (!isOptionKey(key)) throw new AppError("option_unknown", "unknown option", { params: { key: key.slice(0, 100) } });
  return key;
}
