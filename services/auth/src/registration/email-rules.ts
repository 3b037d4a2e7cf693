import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";

/** One plain ASCII address as browsers' e-mail fields accept it: no part of it can be read as a second recipient. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;
const ADDRESS_LENGTH_MAX = 254;

/** An e-mail address without surrounding whitespace; throws email_invalid. */
export function parseEmail(raw: string): string {
  const email = raw.trim();
  if (email.length > ADDRESS_LENGTH_MAX || !ADDRESS.test(email))
    throw new AppError("email_invalid", "the e-mail address is not valid");
  return email;
}

const parseDomains = (list: string): string[] =>
  list.split(/[\s,]+/).flatMap((domain) => (domain === "" ? [] : [domain.toLowerCase().replace(/^@/, "")]));

/**
 * Checks that the site accepts an address for its users; throws email_domain_not_allowed or email_alias_not_allowed.
 */
export function checkEmailAllowed(email: string, options: OptionsInForce): void {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const isRestricted = options.flag("EmailDomainRestrictionEnabled");
  if (isRestricted && !parseDomains(options.text("EmailDomainWhitelist")).includes(domain))
    throw new AppError("email_domain_not_allowed", `the domain ${domain} is not on the list`);
  if (options.flag("EmailAliasRestrictionEnabled") && /[+.]/.test(local))
    throw new AppError("email_alias_not_allowed", "the address looks like an alias");
}
