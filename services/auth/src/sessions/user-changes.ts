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

/** A change of one user. `plan` says what to write, from the user as they are then, and throws when it may not be. */
export type UserChange = {
  readonly id: number;
  readonly plan: (target: UserDoc) => UserWrite;
  /** Given for what admins do; left out for what people do to themselves. */
  readonly audit?: { readonly actor: Actor; readonly action: string };
  readonly survivingSessionId?: string;
};
export type UserChanges = ReturnType<typeof createUserChanges>;

/** The one way a user is changed: rule, write and audit row in one transaction, then sessions are cleared and everybody told. */
export function createUserChanges(deps: {
  mongo: Connection;
  users: UserStore;
  sessions: SessionService;
  audit: AuditLog;
  bus: Pick<Bus, "notify">;
}) {
  const { mongo, users, sessions, audit, bus } = deps;
  return {
    /** Answers the user after the change, which may be none; throws user_not_found, username_taken, or what the plan throws. */
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
