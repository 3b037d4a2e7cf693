import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { isInGoodStanding } from "../users/user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";
import { type FoundSession, hashSessionId, type SessionStore } from "./session-store.ts";

export type SessionService = ReturnType<typeof createSessionService>;

/** Whether a session is still valid: opened under the user's current epoch, or the survivor of the last change. */
export const isStanding = ({ hash, record }: FoundSession, user: UserDoc): boolean =>
  record.epoch === user.sessionEpoch ||
  (record.epoch === user.sessionEpoch - 1 && hash === user.survivingSessionHash && hash !== "");

/** Sessions and their users. The user is read on each call, so every change takes effect at once on every replica. */
export function createSessionService(deps: { sessions: SessionStore; users: UserStore; log: Logger }) {
  const { sessions, users, log } = deps;

  const find = async (sessionId: string): Promise<{ session: FoundSession; user: UserDoc } | undefined> => {
    const session = sessionId === "" ? undefined : await sessions.find(sessionId);
    const user = session && (await users.findById(session.record.userId));
    return session && user && isInGoodStanding(user) && isStanding(session, user) ? { session, user } : undefined;
  };
  return {
    /** The user of a session; throws unauthenticated when it ended or its user is banned or deregistered. */
    async resolve(sessionId: string): Promise<UserDoc> {
      const found = await find(sessionId);
      if (!found) throw new AppError("unauthenticated", "no such session");
      return found.user;
    },
    open: (user: UserDoc, from: { address: string; userAgent: string }) =>
      sessions.open({
        userId: user._id,
        epoch: user.sessionEpoch,
        address: from.address.slice(0, 64),
        userAgent: from.userAgent.slice(0, 200),
      }),
    end: sessions.end,
    /**
     * The hash to write as the survivor when this user's other sessions are about to end; "" when the session belongs
     * to another user.
     */
    async survivorHash(sessionId: string, userId: number): Promise<string> {
      const found = await find(sessionId);
      return found?.user._id === userId ? found.session.hash : "";
    },
    /**
     * Deletes sessions of older epochs and moves the survivor to the new one. Never throws: the epoch alone decides
     * validity, this only cleans up.
     */
    async tidyUp(user: UserDoc, survivingSessionId = ""): Promise<void> {
      try {
        const survivor = survivingSessionId === "" ? undefined : await sessions.find(survivingSessionId);
        if (survivor?.hash === user.survivingSessionHash) await sessions.carryOver(survivor, user.sessionEpoch);
        await sessions.endAll(user._id, survivor ? hashSessionId(survivingSessionId) : "");
      } catch (error) {
        log.warn({ err: error, userId: user._id }, "ended sessions could not be removed from Redis");
      }
    },
  };
}
