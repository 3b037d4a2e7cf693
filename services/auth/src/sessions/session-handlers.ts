import type { IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { SessionList } from "./session-list.ts";

type Rpcs = "listSessions" | "endSession" | "endAllSessions";

/** RPCs over a user's own open sessions. */
export const sessionHandlers = (list: SessionList): Pick<Handlers<IdentityServiceServer>, Rpcs> => ({
  async listSessions({ userId, sessionId }, context) {
    requireSelf(context, userId);
    return { sessions: await list.list(userId, sessionId) };
  },
  async endSession({ userId, id }, context) {
    requireSelf(context, userId);
    await list.end(userId, id);
    return {};
  },
  async endAllSessions({ userId, survivingSessionId }, context) {
    requireSelf(context, userId);
    await list.endAll(userId, survivingSessionId);
    return {};
  },
});
