import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { SessionService } from "../sessions/session-service.ts";
import { toUser } from "../users/user.ts";
import type { SignInService } from "./sign-in-service.ts";

/** RPCs over signing in and out. */
export const signInHandlers = (deps: {
  signIn: SignInService;
  sessions: SessionService;
}): Pick<Handlers<AuthServiceServer>, "login" | "logout" | "resolveSession"> => ({
  login: (request) => deps.signIn.signIn(request),
  async logout({ sessionId }) {
    await deps.sessions.end(sessionId);
    return {};
  },
  async resolveSession({ sessionId }) {
    return { user: toUser(await deps.sessions.resolve(sessionId)) };
  },
});
