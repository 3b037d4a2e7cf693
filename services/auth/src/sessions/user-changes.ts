import { userChanged } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AuditLog } from "../audit/audit-log.ts";
import type { SessionService } from "./session-service.ts";
import { toAuditJson } from "../users/user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore, UserWrite } from "../users/user-store.ts";

/**
 * A change of one user. `plan` returns the write from the user's current state, and throws when the change is not
 * allowed.
 */
export type UserChange = {
  readonly id: number;
  readonly plan: (target: UserDoc) => UserWrite;
  /** Set for admin actions; absent for users' own changes. */
  readonly audit?: { readonly actor: Actor; readonly action: string };
  readonly survivingSessionId?: string;
};
export type UserChanges = ReturnType<typeof createUserChanges>;

/**
 * The only way to change a user: rule, write and audit row in one transaction, then sessions are cleared and the change
 * is published.
 */
export function createUserChanges(deps: {
  mongo: Connection;
  users: UserStore;
  sessions: SessionService;
  audit: AuditLog;
  bus: Pick<Bus, "notify">;
}) {
  const { mongo, users, sessions, audit, bus } = deps;
  return {
    /**
     * Returns the user after the change, which may be a no-op; throws user_not_found, username_taken, or the plan's
     * error.
     */
    async apply(change: UserChange): Promise<UserDoc> {
      const { write, after } = await inTransaction(mongo, async (session) => {
        const before = await users.findById(change.id, session);
        if (!before || before.deletedAtSeconds !== 0) throw new AppError("user_not_found", `no user ${change.id}`);
        const planned = change.plan(before);
        if (!planned.endsSessions && Object.keys(planned.set).length === 0) return { write: undefined, after: before };
        const changed = await users.update(change.id, planned, session);
        if (change.audit) {
          const texts = { before: toAuditJson(before), after: toAuditJson(changed) };
          await audit.record({ ...change.audit, target: `user:${change.id}`, ...texts }, session);
        }
        return { write: planned, after: changed };
      });
      if (!write) return after;
      if (write.endsSessions) await sessions.tidyUp(after, change.survivingSessionId);
      bus.notify(userChanged, { userId: change.id });
      return after;
    },
  };
}
