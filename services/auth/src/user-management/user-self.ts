import { setTimeout as wait } from "node:timers/promises";
import { ROLE } from "@turnpike/contract/codes";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { SessionService } from "../sessions/session-service.ts";
import type { PasswordCheck } from "../sign-in/password-check.ts";
import { hashPassword } from "../users/password-hash.ts";
import { getAccountName } from "../sign-in/sign-in-service.ts";
import { toProfileWrite } from "./user-forms.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { parsePassword } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import { parseSentSetting } from "../users/user-setting.ts";
import type { UserStore, UserWrite } from "../users/user-store.ts";

export type SelfEdit = {
  readonly id: number;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  readonly originalPassword?: string | undefined;
  readonly password?: string | undefined;
  readonly sessionId: string;
  readonly settingJson?: string | undefined;
};
const ADDRESS_CHECK_MS = 2_000;

export type UserSelf = ReturnType<typeof createUserSelf>;

type Deps = {
  readonly nowSeconds: () => number;
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly sessions: SessionService;
  readonly passwords: PasswordCheck;
  readonly secretBox: SecretBox;
  /** Rejects an address that may not be requested. */
  readonly checkAddress: PrivateAddressGuard["check"];
};

/** Checks a user's setting as the client sent it, and returns the fields to store; throws address_not_allowed. */
async function toSettingWrite(
  settingJson: string | undefined,
  { secretBox, checkAddress }: Pick<Deps, "secretBox" | "checkAddress">,
): Promise<UserWrite["set"]> {
  if (settingJson === undefined) return {};
  const sent = parseSentSetting(settingJson);
  // A DNS failure must not prevent saving: the check at call time is the protection.
  if (sent.webhookUrl !== "")
    await Promise.race([checkAddress(sent.webhookUrl), wait(ADDRESS_CHECK_MS, undefined, { ref: false })]);
  return {
    settingJson: sent.settingJson,
    ...(sent.webhookSecret === undefined ? {} : { webhookSecretBox: secretBox.seal(sent.webhookSecret) }),
  };
}

/** Users' changes to their own account. */
export function createUserSelf(deps: Deps) {
  const { users, changes, sessions, passwords, nowSeconds } = deps;

  const checkOriginal = async (actor: Actor, password: string): Promise<UserDoc> => {
    const user = await users.findById(actor.userId);
    // A user who registered through a third party has no password yet and sets the first one.
    if (user?.passwordHash === "") return user;
    const account = getAccountName(user, actor.username);
    const attempt = { account, address: actor.address, password, passwordHash: user?.passwordHash, isWelcome: true };
    if (!(await passwords.passes(attempt)) || !user)
      throw new AppError("original_password_wrong", "the present password is wrong");
    return user;
  };
  /** The write of a new password, valid only while the checked one is still current. */
  const planPassword = async (actor: Actor, edit: SelfEdit): Promise<(target: UserDoc) => UserWrite> => {
    if (!edit.password) return () => ({ set: {} });
    const password = parsePassword(edit.password);
    const checked = await checkOriginal(actor, edit.originalPassword ?? "");
    const passwordHash = await hashPassword(password);
    const survivorHash = await sessions.survivorHash(edit.sessionId, actor.userId);
    return (target) => {
      if (target.passwordHash !== checked.passwordHash)
        throw new AppError("original_password_wrong", "the password was changed meanwhile");
      return { set: { passwordHash, mustChangePassword: false }, endsSessions: { survivorHash } };
    };
  };
  return {
    /**
     * Edits the actor's own profile. A new password needs the current one and ends all sessions except the named one.
     * Throws original_password_wrong, login_rate_limited after too many wrong ones, username_taken,
     * address_not_allowed, or the error of an invalid field.
     */
    async update(actor: Actor, edit: SelfEdit): Promise<UserDoc> {
      const setting = await toSettingWrite(edit.settingJson, deps);
      const toPasswordWrite = await planPassword(actor, edit);
      const plan = (target: UserDoc): UserWrite => {
        const { set, endsSessions } = toPasswordWrite(target);
        const profile = toProfileWrite({ username: edit.username, displayName: edit.displayName }, target);
        return { set: { ...profile, ...setting, ...set }, endsSessions };
      };
      return changes.apply({ id: edit.id, plan, survivingSessionId: edit.sessionId });
    },
    /**
     * Deregisters the actor and ends their sessions. Throws root_protected, and confirmation_mismatch when the typed
     * text is not their user name; compatible clients send nothing, which counts as confirmed.
     */
    async remove(actor: Actor, confirmation: string | undefined): Promise<void> {
      const plan = (target: UserDoc): UserWrite => {
        if (target.role === ROLE.root) throw new AppError("root_protected", "root cannot deregister");
        if (confirmation !== undefined && confirmation !== target.username)
          throw new AppError("confirmation_mismatch", "the typed text is not the user name");
        return { set: { deletedAtSeconds: nowSeconds() }, endsSessions: { survivorHash: "" } };
      };
      await changes.apply({ id: actor.userId, plan, audit: { actor, action: "user.deregister" } });
    },
  };
}
