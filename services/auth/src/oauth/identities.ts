import { AppError } from "@turnpike/shared/errors/app-error";
import type { OptionReader } from "../options/option-reader.ts";
import type { NewAccounts } from "../registration/new-account.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { IdentityField, UserStore } from "../users/user-store.ts";
import { createIdentityRegistration } from "./identity-registration.ts";
import type { Identity, IdentityKind } from "./provider.ts";

export type Identities = ReturnType<typeof createIdentities>;

const isBoundError = (error: unknown): boolean => error instanceof AppError && error.code === "oauth_already_bound";
const alreadyBound = (title: string, cause?: unknown): AppError =>
  new AppError("oauth_already_bound", `the ${title} account is bound`, { params: { provider: title }, cause });

/** Users of third-party identities: looks them up, links or creates them. */
export function createIdentities(deps: {
  users: UserStore;
  changes: UserChanges;
  accounts: NewAccounts;
  options: OptionReader;
}) {
  const { users, changes } = deps;
  const register = createIdentityRegistration(deps);
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
        const made = isBoundError(error) ? await users.findByIdentity(kind.field, identity.id) : undefined;
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
        throw isBoundError(error) ? alreadyBound(kind.title, error) : error;
      }
    },
  };
}
