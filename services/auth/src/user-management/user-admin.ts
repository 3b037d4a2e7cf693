import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AccountOpenings } from "../account-openings/account-openings.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { hashPassword } from "../users/password-hash.ts";
import { newUser } from "../users/new-user.ts";
import { toAuditJson } from "../users/user.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { parsePassword } from "../users/user-input.ts";
import { type NewUserForm, readNewUserForm, toProfileWrite, type UserEdit } from "./user-forms.ts";
import type { UserDoc } from "../users/user-model.ts";
import { checkMayActOn, checkMaySee, parseAction, planManage } from "../users/user-rules.ts";
import type { UserFilter, UserStore, UserWrite } from "../users/user-store.ts";

const LISTED_IDS_MAX = 100_000;

export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** The ids of all users that match a filter; throws invalid_input for more than can be sorted. */
async function listIds(users: UserStore, filter: UserFilter): Promise<number[]> {
  const ids = await users.listIds(filter, LISTED_IDS_MAX + 1);
  if (ids.length <= LISTED_IDS_MAX) return ids;
  throw new AppError("invalid_input", `more than ${LISTED_IDS_MAX} users match; narrow the filter`, {
    params: { detail: "sort" },
  });
}

/** Admin actions on users. */
export function createUserAdmin(deps: {
  mongo: Connection;
  users: UserStore;
  changes: UserChanges;
  openings: AccountOpenings;
  options: OptionReader;
  audit: AuditLog;
  nowSeconds: () => number;
}) {
  const { mongo, users, changes, openings, options, audit, nowSeconds } = deps;

  return {
    /**
     * Creates a user with an account; throws username_taken, user_create_level_too_high, or the error of an invalid
     * field.
     */
    async create(actor: Actor, form: NewUserForm): Promise<UserDoc> {
      const about = await readNewUserForm(actor.role, form);
      const credit = (await options.inForce()).number("QuotaForNewUser");
      const id = await allocateIds(mongo, "users");
      const user = newUser(id, about, nowSeconds());
      await inTransaction(mongo, async (session) => {
        await users.insert(user, session);
        await openings.add({ userId: id, credit, reason: "新用户注册赠送" }, session);
        const texts = { before: "", after: toAuditJson(user) };
        await audit.record({ actor, action: "user.create", target: `user:${id}`, ...texts }, session);
      });
      await openings.openNow(id);
      return user;
    },
    /**
     * Edits a user of a lower role (root: any); a new password ends the user's sessions and must be changed by the
     * user.
     */
    async update(actor: Actor, edit: UserEdit): Promise<UserDoc> {
      // The balance may be set next, which would miss an account that billing has not opened yet.
      await openings.openNow(edit.id);
      const passwordHash = edit.password ? await hashPassword(parsePassword(edit.password)) : undefined;
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
      if (actor && actor.userId !== id) checkMaySee(actor.role, user.role);
      return user;
    },
    list: users.list,
    listIds: (filter: UserFilter) => listIds(users, filter),
  };
}
