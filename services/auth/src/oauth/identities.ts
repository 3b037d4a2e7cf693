import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import { checkEmailAllowed, parseEmail } from "../registration/email-rules.ts";
import type { NewAccounts } from "../registration/new-account.ts";
import { checkRegistrationOpen } from "../registration/registration-service.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { parseDisplayName, readUsername, toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { IdentityField, UserStore } from "../users/user-store.ts";
import type { Identity, Provider } from "./provider.ts";

/** The third party an identity belongs to. */
export type IdentityKind = Pick<Provider, "title" | "field" | "usernamePrefix">;
export type Identities = ReturnType<typeof createIdentities>;

const RANDOM_TRIES = 3;
const DISPLAY_NAME_MAX = 20;

const isCode = (error: unknown, code: string): boolean => error instanceof AppError && error.code === code;
const alreadyBound = (title: string, cause?: unknown): AppError =>
  new AppError("oauth_already_bound", `the ${title} account is bound`, { params: { provider: title }, cause });
const shortened = (name: string): string => Array.from(name).slice(0, DISPLAY_NAME_MAX).join("");

/** Users of third-party identities: looks them up, links or creates them. */
export function createIdentities(deps: {
  users: UserStore;
  changes: UserChanges;
  accounts: NewAccounts;
  options: OptionReader;
}) {
  const { users, changes, accounts, options } = deps;

  /**
   * An unused address that the site accepts; undefined for any other, because the address must not block the sign-in.
   */
  const readEmail = async (raw: string | undefined): Promise<string> => {
    try {
      if (raw === undefined) return "";
      const email = parseEmail(raw);
      checkEmailAllowed(email, await options.inForce());
      return (await users.findByEmail(toNameKey(email))) ? "" : email;
    } catch (error) {
      if (error instanceof AppError && error.code.startsWith("email_")) return "";
      throw error;
    }
  };
  const makeNamed = (
    kind: IdentityKind,
    identity: Identity,
    about: { email: string; affCode: string; wish?: string },
  ) =>
    accounts.make({
      affCode: about.affCode,
      about: (id) => {
        const username = about.wish ?? `${kind.usernamePrefix}_${id}`;
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
  const register = async (kind: IdentityKind, identity: Identity, affCode: string): Promise<UserDoc> => {
    checkRegistrationOpen(await options.inForce());
    const email = await readEmail(identity.email);
    const wish = readUsername(identity.username ?? "");
    if (wish !== undefined && !wish.includes("@")) {
      try {
        return await makeNamed(kind, identity, { email, affCode, wish });
      } catch (error) {
        if (!isCode(error, "username_taken")) throw error;
      }
    }
    // The number is new each time because the name derived from it may be taken.
    for (let left = RANDOM_TRIES; ; left--) {
      try {
        return await makeNamed(kind, identity, { email, affCode });
      } catch (error) {
        if (left === 1 || !isCode(error, "username_taken")) throw error;
      }
    }
  };
  return {
    find: (field: IdentityField, id: string): Promise<UserDoc | undefined> => users.findByIdentity(field, id),
    /** The identity's user; registers a new one if there is none. Throws register_disabled. */
    async findOrRegister(kind: IdentityKind, identity: Identity, affCode: string): Promise<UserDoc> {
      const known = await users.findByIdentity(kind.field, identity.id);
      if (known) return known;
      try {
        return await register(kind, identity, affCode);
      } catch (error) {
        // Two concurrent sign-ins: the other one won.
        const made = isCode(error, "oauth_already_bound")
          ? await users.findByIdentity(kind.field, identity.id)
          : undefined;
        if (made) return made;
        throw error;
      }
    },
    /**
     * Links the identity to the user; throws oauth_already_bound when it belongs to another user. Linking again changes
     * nothing.
     */
    async bind(userId: number, kind: IdentityKind, id: string): Promise<void> {
      const owner = await users.findByIdentity(kind.field, id);
      if (owner && owner._id !== userId) throw alreadyBound(kind.title);
      try {
        await changes.apply({ id: userId, plan: () => ({ set: { [kind.field]: id } }) });
      } catch (error) {
        throw isCode(error, "oauth_already_bound") ? alreadyBound(kind.title, error) : error;
      }
    },
  };
}
