import type { SecondFactorNeeded, SignInResult } from "@turnpike/contract/api/identity";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request } from "express";
import { type ApiResponse, ok, type Success } from "../http/api-response.ts";
import { readSessionCookie, sessionCookie } from "../http/security/cookie.ts";
import { type Visit, readWaitingSignIn, waitingSignInCookie } from "../http/visitor.ts";
import type { Services } from "../http/services.ts";
import { requireField } from "./required-field.ts";
import { toSignedInUser } from "./user.ts";

const WAITING_SECONDS = 300;

/**
 * The response to every way of signing in: the user with the session's cookie, or the request for a second factor. A
 * session that the browser had before ends, so that no one else continues under a session id that was known earlier.
 */
export async function toSignInResponse(
  signedIn: SignedIn,
  deps: { auth: Services["auth"]; request: Request; visit: Visit; isSecure: boolean; call: CallOptions },
): Promise<ApiResponse<Success<SignInResult>>> {
  const { auth, request, visit, isSecure, call } = deps;
  if (signedIn.pending) {
    const data: SecondFactorNeeded = { require_2fa: true, methods: [...signedIn.pending.methods] };
    const waiting = waitingSignInCookie(signedIn.pending.id, { seconds: WAITING_SECONDS, isSecure });
    return { ...ok(data), headers: { "set-cookie": [...visit.cookies, waiting] } };
  }
  const before = readSessionCookie(request.headers.cookie);
  // The new session is open: a failure to end the old one must not withhold it.
  if (before !== undefined) await auth.logout({ sessionId: before }, call).catch(() => undefined);
  const ended = readWaitingSignIn(request) === "" ? [] : [waitingSignInCookie("", { seconds: 0, isSecure })];
  // The session comes first: simple clients read one cookie.
  const cookies = [sessionCookie(signedIn.sessionId, isSecure), ...ended, ...visit.cookies];
  return { ...ok(toSignedInUser(requireField(signedIn.user, "user"))), headers: { "set-cookie": cookies } };
}
