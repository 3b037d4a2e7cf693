import type { SecondFactorNeeded } from "@turnpike/contract/api/identity";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request } from "express";
import { type ApiResponse, ok } from "../http/api-response.ts";
import { readSessionCookie, sessionCookie } from "../http/cookie.ts";
import { type Visit, readWaitingSignIn, waitingSignInCookie } from "../http/visitor.ts";
import type { Services } from "../http/services.ts";
import { requireField } from "./required-field.ts";
import { toSignedInUser } from "./user.ts";

const WAITING_SECONDS = 300;

/**
 * The answer to every way of signing in: who is in, with the session's cookie, or that a second factor is needed. A session the browser
 * had before ends: nobody goes on under an id that was known earlier.
 */
export async function toSignInResponse(
  signedIn: SignedIn,
  deps: { auth: Services["auth"]; request: Request; visit: Visit; isSecure: boolean; call: CallOptions },
): Promise<ApiResponse> {
  const { auth, request, visit, isSecure, call } = deps;
  if (signedIn.pending) {
    const data: SecondFactorNeeded = { require_2fa: true, methods: [...signedIn.pending.methods] };
    const waiting = waitingSignInCookie(signedIn.pending.id, { seconds: WAITING_SECONDS, isSecure });
    return { ...ok(data), headers: { "set-cookie": [...visit.cookies, waiting] } };
  }
  const before = readSessionCookie(request.headers.cookie);
  // The new session is open: that the old one could not be ended must not keep it from its owner.
  if (before !== undefined) await auth.logout({ sessionId: before }, call).catch(() => undefined);
  const ended = readWaitingSignIn(request) === "" ? [] : [waitingSignInCookie("", { seconds: 0, isSecure })];
  // The session first: simple clients read one cookie.
  const cookies = [sessionCookie(signedIn.sessionId, isSecure), ...ended, ...visit.cookies];
  return { ...ok(toSignedInUser(requireField(signedIn.user, "user"))), headers: { "set-cookie": cookies } };
}
