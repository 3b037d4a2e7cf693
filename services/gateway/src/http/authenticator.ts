import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { User } from "@turnpike/proto/auth/v1/auth_service";
import type { Services } from "./services.ts";
import { readSessionCookie } from "./cookie.ts";

/** The caller as auth knows them now. */
export type Caller = {
  readonly user: User;
  /** undefined when the call came with an access token. */
  readonly sessionId: string | undefined;
};

const USER_HEADERS = ["veloera-user", "new-api-user"];

/** The access token of an Authorization header; ignores credentials of a Basic-auth proxy in front of the gateway. */
function readAccessToken(header: string | undefined): string | undefined {
  if (header === undefined || /^basic\s/i.test(header)) return undefined;
  const token = header.replace(/^bearer\s+/i, "").trim();
  return token === "" ? undefined : token;
}

function checkUserHeader(headers: IncomingHttpHeaders, user: User): void {
  for (const name of USER_HEADERS) {
    const sent = headers[name];
    if (sent === undefined || sent === String(user.id)) continue;
    throw new AppError("user_header_mismatch", `${name} does not name user ${user.id}`);
  }
}

const isUnauthenticated = (error: unknown): boolean => error instanceof AppError && error.code === "unauthenticated";

/**
 * Identifies the caller: by the session cookie, else by the system access token. undefined for a visitor and for an
 * ended session; throws access_token_invalid for a wrong token and user_header_mismatch when the user header names
 * another user.
 */
export function createAuthenticator({ auth }: Pick<Services, "auth">) {
  const bySession = async (sessionId: string | undefined, call: CallOptions): Promise<Caller | undefined> => {
    if (sessionId === undefined) return undefined;
    try {
      const { user } = await auth.resolveSession({ sessionId }, call);
      return user && { user, sessionId };
    } catch (error) {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    }
  };
  const byAccessToken = async (accessToken: string | undefined, call: CallOptions): Promise<Caller | undefined> => {
    if (accessToken === undefined) return undefined;
    try {
      const { user } = await auth.resolveAccessToken({ accessToken }, call);
      return user && { user, sessionId: undefined };
    } catch (error) {
      if (isUnauthenticated(error))
        throw new AppError("access_token_invalid", "unknown access token", { cause: error });
      throw error;
    }
  };
  return async (headers: IncomingHttpHeaders, call: CallOptions): Promise<Caller | undefined> => {
    const caller =
      (await bySession(readSessionCookie(headers.cookie), call)) ??
      (await byAccessToken(readAccessToken(headers.authorization), call));
    if (caller) checkUserHeader(headers, caller.user);
    return caller;
  };
}

export type Authenticate = ReturnType<typeof createAuthenticator>;
