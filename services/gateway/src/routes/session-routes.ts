import { CodeBody, TurnstileQuery } from "@turnpike/contract/api/identity";
import { LoginBody } from "@turnpike/contract/api/user";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { endedSessionCookie, readSessionCookie } from "../http/cookie.ts";
import { readVisit, readWaitingSignIn } from "../http/visitor.ts";
import { requireField } from "../presenters/required-field.ts";
import { toSignInResponse } from "../presenters/sign-in.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Hashing a password takes its time when many sign in at once. */
const SIGN_IN_TIMEOUT_MS = 10_000;

/** Signing in and out. Mounted at /api/user. */
export function sessionRoutes({ services: { auth, identity }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  return Router()
    .post(
      "/login",
      route(
        { access: "anyone", query: TurnstileQuery, body: LoginBody },
        async ({ query, body }, { call, facts, request }) => {
          const visit = readVisit(request, facts, { isSecure: isSecure(), turnstile: query.turnstile });
          const { address, userAgent } = visit.visitor;
          const signedIn = await auth.login(
            { username: body.username, password: body.password, address, userAgent, visitor: visit.visitor },
            { ...call, timeoutMs: SIGN_IN_TIMEOUT_MS },
          );
          return toSignInResponse(signedIn, { auth, request, visit, isSecure: isSecure(), call });
        },
      ),
    )
    .post(
      "/login/2fa",
      route({ access: "anyone", body: CodeBody }, async ({ body }, { call, facts, request }) => {
        const visit = readVisit(request, facts, { isSecure: isSecure() });
        const { signedIn } = await identity.finishSecondFactor(
          { pendingId: readWaitingSignIn(request), code: body.code, visitor: visit.visitor },
          call,
        );
        return toSignInResponse(requireField(signedIn, "sign-in"), {
          auth,
          request,
          visit,
          isSecure: isSecure(),
          call,
        });
      }),
    )
    .get(
      "/logout",
      route({ access: "anyone", changesState: true }, async (_, { call, request }) => {
        const sessionId = readSessionCookie(request.headers.cookie);
        if (sessionId !== undefined) await auth.logout({ sessionId }, call);
        return { ...ok(), headers: { "set-cookie": endedSessionCookie(isSecure()) } };
      }),
    );
}
