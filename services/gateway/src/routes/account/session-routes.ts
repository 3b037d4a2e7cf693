import { Done, successSchema } from "@turnpike/contract/api/common";
import { CodeBody, TurnstileQuery, SignInResult } from "@turnpike/contract/api/identity";
import { LoginBody } from "@turnpike/contract/api/user";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { endedSessionCookie, readSessionCookie } from "../../http/security/cookie.ts";
import { readVisit, readWaitingSignIn } from "../../http/visitor.ts";
import { requireField } from "../../presenters/required-field.ts";
import { toSignInResponse } from "../../presenters/sign-in.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** Password hashing is slow when many users sign in at once. */
const SIGN_IN_TIMEOUT_MS = 10_000;

const SPECS = {
  signIn: {
    access: "anyone",
    summary: "Sign in with a password",
    returns: successSchema(SignInResult),
    query: TurnstileQuery,
    body: LoginBody,
  },
  signInWithSecondFactor: {
    access: "anyone",
    summary: "Finish a sign-in with a second factor",
    returns: successSchema(SignInResult),
    body: CodeBody,
  },
  signOut: { access: "anyone", summary: "Sign out", returns: Done, changesState: true },
} as const;

/** Sign-in and sign-out. Mounted at /api/user. */
export function sessionRoutes({ services: { auth, identity }, route, options }: RoutesDeps): Router {
  return Router()
    .post(
      "/login",
      route(SPECS.signIn, async ({ query, body }, { call, facts, request }) => {
        const visit = readVisit(request, facts, { isSecure: options.isSecure(), turnstile: query.turnstile });
        const { address, userAgent } = visit.visitor;
        const signedIn = await auth.login(
          { username: body.username, password: body.password, address, userAgent, visitor: visit.visitor },
          { ...call, timeoutMs: SIGN_IN_TIMEOUT_MS },
        );
        return toSignInResponse(signedIn, { auth, request, visit, isSecure: options.isSecure(), call });
      }),
    )
    .post(
      "/login/2fa",
      route(SPECS.signInWithSecondFactor, async ({ body }, { call, facts, request }) => {
        const visit = readVisit(request, facts, { isSecure: options.isSecure() });
        const { signedIn } = await identity.finishSecondFactor(
          { pendingId: readWaitingSignIn(request), code: body.code, visitor: visit.visitor },
          call,
        );
        return toSignInResponse(requireField(signedIn, "sign-in"), {
          auth,
          request,
          visit,
          isSecure: options.isSecure(),
          call,
        });
      }),
    )
    .get(
      "/logout",
      route(SPECS.signOut, async (_, { call, request }) => {
        const sessionId = readSessionCookie(request.headers.cookie);
        if (sessionId !== undefined) await auth.logout({ sessionId }, call);
        return { ...ok(), headers: { "set-cookie": endedSessionCookie(options.isSecure()) } };
      }),
    );
}
