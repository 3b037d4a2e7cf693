import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import { checkEmailAllowed, parseEmail } from "../registration/email-rules.ts";
import type { NewAccounts } from "../registration/new-account.ts";
import { checkRegistrationOpen } from "../registration/registration-service.ts";
import { parseDisplayName, readUsername, toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";
import type { Identity, IdentityKind } from "./provider.ts";

const NAME_ATTEMPTS_MAX = 3;
const DISPLAY_NAME_MAX = 20;

const isNameTaken = (error: unknown): boolean => error instanceof AppError && error.code === "username_taken";
const shortened = (name: string): string => Array.from(name).slice(0, DISPLAY_NAME_MAX).join("");

/** Registers users of third-party identities; the returned function throws register_disabled, email_domain_not_allowed and oauth_email_required. */
export function createIdentityRegistration(deps: { users: UserStore; accounts: NewAccounts; options: OptionReader }) {
  const { users, accounts, options } = deps;

  /**
   * An unused address that the site accepts. While the site accepts certain domains only, an address of another domain
   * or none at all ends the registration; otherwise an unwelcome address is left out.
   */
  const readEmail = async ({ title, reportsEmail }: IdentityKind, raw: string | undefined): Promise<string> => {
    const inForce = await options.inForce();
    const isRestricted = reportsEmail && inForce.flag("EmailDomainRestrictionEnabled");
    if (isRestricted && raw === undefined)
      throw new AppError("oauth_email_required", `${title} reports no address`, { params: { provider: title } });
    try {
      if (raw === undefined) return "";
      const email = parseEmail(raw);
      checkEmailAllowed(email, inForce);
      return (await users.findByEmail(toNameKey(email))) ? "" : email;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A second account with an alias is not possible here: the identity is the account.
      if (error.code === "email_alias_not_allowed") return "";
      if (error.code.startsWith("email_") && !isRestricted) return "";
      throw error;
    }
  };
  const makeNamed = (
    kind: IdentityKind,
    identity: Identity,
    about: { email: string; affCode: string; preferredName?: string },
  ) =>
    accounts.make({
      affCode: about.affCode,
      about: (id) => {
        const username = about.preferredName ?? `${kind.usernamePrefix}_${id}`;
        return {
          username,
          displayName: parseDisplayName(shortened(identity.displayName), username),
          passwordHash: "",
          mustChangePassword: false,
          role: ROLE.user,
          email: about.email,
          emailLower: toNameKey(about.email),
          [kind.field]: identity.id,
        };
      },
    });
  return async function register(kind: IdentityKind, identity: Identity, affCode: string): Promise<UserDoc> {
    checkRegistrationOpen(await options.inForce());
    const email = await readEmail(kind, identity.email);
    const preferredName = readUsername(identity.username ?? "");
    if (preferredName !== undefined && !preferredName.includes("@")) {
      try {
        return await makeNamed(kind, identity, { email, affCode, preferredName });
      } catch (error) {
        if (!isNameTaken(error)) throw error;
      }
    }
    // The number is new each time because the name derived from it may be taken.
    for (let left = NAME_ATTEMPTS_MAX; ; left--) {
      try {
        return await makeNamed(kind, identity, { email, affCode });
      } catch (error) {
        if (left === 1 || !isNameTaken(error)) throw error;
      }
    }
  };
}
