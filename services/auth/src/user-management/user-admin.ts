import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AccountOpener } from "../account-openings/account-opener.ts";
import type { OpeningStore } from "../account-openings/opening-store.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { hashPassword } from "../users/password-hash.ts";
import { newUser } from "../users/new-user.ts";
import { toAuditJson } from "../users/user.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { parseDisplayName, parseGroup, parsePassword, parseUsername, toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import { checkCreatedRole, checkMayActOn, parseAction, planManage } from "../users/user-rules.ts";
import type { UserStore, UserWrite } from "../users/user-store.ts";

export type NewUserForm = {
  readonly username: string;
  readonly password: string;
  readonly displayName: string;
  readonly role: number;
};
export type UserEdit = {
  readonly id: number;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  readonly group?: string | undefined;
  readonly password?: string | undefined;
};
export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** The profile fields that an edit changes; throws when one is invalid. */
export function toProfileWrite(edit: Omit<UserEdit, "id" | "password">, target: UserDoc): UserWrite["set"] {
  const username = edit.username === undefined ? target.username : parseUsername(edit.username);
  const displayName =
    edit.displayName === undefined ? target.displayName : parseDisplayName(edit.displayName, username);
  const group = edit.group === undefined ? target.group : parseGroup(edit.group);
  return {
    ...(username === target.username ? {} : { username, usernameLower: toNameKey(username) }),
    ...(displayName === target.displayName ? {} : { displayName }),
    ...(group === target.group ? {} : { group }),
  };
}

/** Admin actions on users. */
export function createUserAdmin(deps: {
  mongo: Connection;
  users: UserStore;
  changes: UserChanges;
  openings: OpeningStore;
  opener: AccountOpener;
  options: OptionReader;
  audit: AuditLog;
  nowSeconds: () => number;
}) {
  const { mongo, users, changes, openings, opener, options, audit, nowSeconds } = deps;

  const readForm = async (actor: Actor, form: NewUserForm) => {
    if (form.username.trim() === "" || form.password === "")
      throw new AppError("credentials_required", "user name or password is empty");
    const username = parseUsername(form.username);
    const password = parsePassword(form.password);
    const displayName = parseDisplayName(form.displayName, username);
    const role = checkCreatedRole(actor.role, form.role);
    return { username, displayName, role, passwordHash: await hashPassword(password), mustChangePassword: true };
  };
  return {
    /**
     * Creates a user with an account; throws username_taken, user_create_level_too_high, or the error of an invalid
     * field.
     */
    async create(actor: Actor, form: NewUserForm): Promise<UserDoc> {
      const about = await readForm(actor, form);
      const credit = (await options.inForce()).number("QuotaForNewUser");
      const id = await allocateIds(mongo, "users");
      const user = newUser(id, about, nowSeconds());
      await inTransaction(mongo, async (session) => {
        await users.insert(user, session);
        await openings.add({ userId: id, credit, reason: "新用户注册赠送" }, session);
        const texts = { before: "", after: toAuditJson(user) };
        await audit.record({ actor, action: "user.create", target: `user:${id}`, ...texts }, session);
      });
      await opener.openNow(id);
      return user;
    },
    /**
     * Edits a user of a lower role (root: any); a new password ends the user's sessions and must be changed by the
     * user.
     */
    async update(actor: Actor, edit: UserEdit): Promise<UserDoc> {
      // The balance may be set next, which would miss an account that billing has not opened yet.
      await opener.openNow(edit.id);
      const password = edit.password ? parsePassword(edit.password) : undefined;
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      const plan = (target: UserDoc): UserWrite => {
        checkMayActOn(actor.role, target.role);
        const set = toProfileWrite(edit, target);
        if (passwordHash === undefined) return { set };
        const mustChangePassword = actor.userId !== target._id;
        return { set: { ...set, passwordHash, mustChangePassword }, endsSessions: { survivorHash: "" } };
      };
      const action = passwordHash === undefined ? "user.update" : "user.update_with_password";
      return changes.apply({ id: edit.id, plan, audit: { actor, action } });
    },
    /** Runs one action; throws by the rules of planManage. */
    manage(actor: Actor, id: number, rawAction: string): Promise<UserDoc> {
      const action = parseAction(rawAction);
      const plan = (target: UserDoc): UserWrite => {
        const { isDeleted, ...set } = planManage(action, actor.role, target);
        return {
          set: isDeleted ? { deletedAtSeconds: nowSeconds() } : set,
          endsSessions: action === "enable" ? undefined : { survivorHash: "" },
        };
      };
      return changes.apply({ id, plan, audit: { actor, action: `user.${action}` } });
    },
    /** A user as the caller may see it: their own, those of a lower role, all for root and for services. */
    async get(actor: Actor | undefined, id: number): Promise<UserDoc> {
      const user = await users.findById(id);
      if (!user) throw new AppError("user_not_found", `no user ${id}`);
      if (actor && actor.userId !== id) {
        if (actor.role < ROLE.admin) throw new AppError("permission_denied", "ordinary users see themselves only");
        checkMayActOn(actor.role, user.role);
      }
      return user;
    },
    list: users.list,
  };
}
