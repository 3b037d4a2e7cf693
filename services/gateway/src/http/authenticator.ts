import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { User } from "@turnpike/proto/auth/v1/auth_service";
import type { Services } from "./services.ts";
import { readSessionCookie } from "./security/cookie.ts";
import { RecentCallers } from "./recent-callers.ts";
import type { Caller } from "./caller.ts";

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
    // Clients of this family send the header empty before they know the user.
    if (sent === undefined || sent === "" || sent === String(user.id)) continue;
    throw new AppError("user_header_mismatch", `${name} does not name user ${user.id}`);
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof AppError && error.code === code;

/** What a credential is verified for. */
export type Use = "read" | "change";

/**
 * Identifies the caller: by the session cookie, else by the system access token. undefined for a visitor and for an
 * ended session; throws access_token_invalid for a wrong token and user_header_mismatch when the user header names
 * another user. While auth is down, callers verified in the last minute may read.
 */
export function createAuthenticator({ auth }: Pick<Services, "auth">, now: () => number = Date.now) {
  const recent = new RecentCallers(now);
  const verify = async (
    credential: string,
    use: Use,
    resolve: () => Promise<Caller | undefined>,
  ): Promise<Caller | undefined> => {
    try {
      const caller = await resolve();
      if (caller && use === "read") recent.put(credential, caller);
      else recent.remove(credential);
      return caller;
    } catch (error) {
      const known = use === "read" && hasCode(error, "unavailable") ? recent.get(credential) : undefined;
      if (known) return known;
      if (!hasCode(error, "unavailable")) recent.remove(credential);
      throw error;
    }
  };
  const bySession = async (sessionId: string, call: CallOptions): Promise<Caller | undefined> => {
    try {
      const { user } = await auth.resolveSession({ sessionId }, call);
      return user && { user, sessionId };
    } catch (error) {
      if (hasCode(error, "unauthenticated")) return undefined;
      throw error;
    }
  };
  const byAccessToken = async (accessToken: string, call: CallOptions): Promise<Caller | undefined> => {
    try {
      const { user } = await auth.resolveAccessToken({ accessToken }, call);
      return user && { user, sessionId: undefined };
    } catch (error) {
      if (hasCode(error, "unauthenticated"))
        throw new AppError("access_token_invalid", "unknown access token", { cause: error });
      throw error;
    }
  };
  return async (headers: IncomingHttpHeaders, call: CallOptions, use: Use): Promise<Caller | undefined> => {
    const sessionId = readSessionCookie(headers.cookie);
    let caller = sessionId === undefined ? undefined : await verify(sessionId, use, () => bySession(sessionId, call));
    const token = caller ? undefined : readAccessToken(headers.authorization);
    if (token !== undefined) caller = await verify(token, use, () => byAccessToken(token, call));
    if (caller) checkUserHeader(headers, caller.user);
    return caller;
  };
}

export type Authenticate = ReturnType<typeof createAuthenticator>;

/**
 * The caller's id, for routes that add or remove ways to sign in, which are closed to system access tokens. Throws
 * permission_denied.
 */
export function requireSession({ user, sessionId }: Caller): number {
  if (sessionId !== undefined) return user.id;
  throw new AppError("permission_denied", "an access token may not change how its owner signs in");
}
