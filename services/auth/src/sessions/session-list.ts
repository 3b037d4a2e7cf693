import type { OpenSession } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { UserChanges } from "./user-changes.ts";
import type { UserStore } from "../users/user-store.ts";
import { isStanding, type SessionService } from "./session-service.ts";
import { type FoundSession, hashSessionId, type SessionStore } from "./session-store.ts";

export type SessionList = ReturnType<typeof createSessionList>;

const toOpenSession = ({ hash, record }: FoundSession, ownHash: string): OpenSession => ({
  id: hash,
  current: hash === ownHash,
  address: record.address,
  userAgent: record.userAgent,
  createdAtSeconds: record.createdAtSeconds,
  lastSeenAtSeconds: record.seenAtSeconds,
});

/** Lists and ends a user's own sessions. */
export function createSessionList(deps: {
  store: SessionStore;
  sessions: SessionService;
  users: UserStore;
  changes: UserChanges;
}) {
  const { store, sessions, users, changes } = deps;
  return {
    /** A user's open sessions, last seen first; `sessionId` is the current one. */
    async list(userId: number, sessionId: string): Promise<OpenSession[]> {
      const [user, found] = await Promise.all([users.findById(userId), store.list(userId)]);
      const standing = found.filter((session) => user !== undefined && isStanding(session, user));
      const ownHash = sessionId === "" ? "" : hashSessionId(sessionId);
      return standing
        .map((session) => toOpenSession(session, ownHash))
        .sort((one, other) => other.lastSeenAtSeconds - one.lastSeenAtSeconds);
    },
    /** Ends one of the user's sessions; throws session_not_found. */
    async end(userId: number, id: string): Promise<void> {
      if (!(await store.endOne(userId, id))) throw new AppError("session_not_found", "no such session");
    },
    /**
     * Ends all sessions of the user except the survivor ("" for none), at once on every replica, even while Redis is
     * down.
     */
    async endAll(userId: number, survivingSessionId: string): Promise<void> {
      const survivorHash = await sessions.survivorHash(survivingSessionId, userId);
      await changes.apply({
        id: userId,
        plan: () => ({ set: {}, endsSessions: { survivorHash } }),
        survivingSessionId,
      });
    },
  };
}
