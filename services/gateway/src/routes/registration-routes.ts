import { MailCodeQuery, RegisterBody, ResetBody, TurnstileQuery } from "@turnpike/contract/api/identity";
import { Router } from "express";
import { type ApiResponse, ok } from "../http/api-response.ts";
import { type Visit, readVisit } from "../http/visitor.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Hashing a password takes its time when many come at once. */
const PASSWORD_TIMEOUT_MS = 10_000;

const withCookies = (answer: ApiResponse, { cookies }: Visit): ApiResponse =>
  cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, "set-cookie": [...cookies] } };

/** Registration, codes by mail, and the way back to a forgotten password: calls of people who are not signed in. Mounted at /api. */
export function registrationRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  return Router()
    .get(
      "/verification",
      route({ access: "anyone", query: MailCodeQuery, changesState: true }, async ({ query }, context) => {
        const visit = readVisit(context.request, context.facts, { isSecure: isSecure(), turnstile: query.turnstile });
        await identity.sendVerificationCode({ email: query.email, visitor: visit.visitor }, context.call);
        return withCookies(ok(), visit);
      }),
    )
    .get(
      "/reset_password",
      route({ access: "anyone", query: MailCodeQuery, changesState: true }, async ({ query }, context) => {
        const visit = readVisit(context.request, context.facts, { isSecure: isSecure(), turnstile: query.turnstile });
        await identity.requestPasswordReset({ email: query.email, visitor: visit.visitor }, context.call);
        return withCookies(ok(), visit);
      }),
    )
    .post(
      "/user/reset",
      route({ access: "anyone", body: ResetBody }, async ({ body }, { call, facts, request }) => {
        const { visitor } = readVisit(request, facts, { isSecure: isSecure() });
        const { password } = await identity.resetPassword(
          { ...body, visitor },
          { ...call, timeoutMs: PASSWORD_TIMEOUT_MS },
        );
        return ok(password);
      }),
    )
    .post(
      "/user/register",
      route({ access: "anyone", query: TurnstileQuery, body: RegisterBody }, async ({ query, body }, context) => {
        const visit = readVisit(context.request, context.facts, { isSecure: isSecure(), turnstile: query.turnstile });
        await identity.register(
          {
            username: body.username,
            password: body.password,
            passwordAgain: body.password2,
            email: body.email,
            verificationCode: body.verification_code,
            affCode: body.aff_code,
            visitor: visit.visitor,
          },
          { ...context.call, timeoutMs: PASSWORD_TIMEOUT_MS },
        );
        return withCookies(ok(), visit);
      }),
    );
}
