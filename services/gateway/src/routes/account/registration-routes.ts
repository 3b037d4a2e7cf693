import { z } from "zod/mini";
import { Done, successSchema } from "@turnpike/contract/api/common";
import { MailCodeQuery, RegisterBody, ResetBody, TurnstileQuery } from "@turnpike/contract/api/identity";
import { Router } from "express";
import { type ApiResponse, ok } from "../../http/api-response.ts";
import { type Visit, readVisit } from "../../http/visitor.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** Password hashing is slow when many users register at once. */
const PASSWORD_TIMEOUT_MS = 10_000;

const withCookies = <Body>(response: ApiResponse<Body>, { cookies }: Visit): ApiResponse<Body> =>
  cookies.length === 0 ? response : { ...response, headers: { ...response.headers, "set-cookie": [...cookies] } };

const SPECS = {
  sendVerificationCode: {
    access: "anyone",
    summary: "Send a verification code by mail",
    returns: Done,
    query: MailCodeQuery,
    changesState: true,
  },
  sendResetLink: {
    access: "anyone",
    summary: "Send a link for a new password by mail",
    returns: Done,
    query: MailCodeQuery,
    changesState: true,
  },
  resetPassword: {
    access: "anyone",
    summary: "Set a new password and return it",
    returns: successSchema(z.string()),
    body: ResetBody,
  },
  registerUser: {
    access: "anyone",
    summary: "Register a user",
    returns: Done,
    query: TurnstileQuery,
    body: RegisterBody,
  },
} as const;

/** Registration, codes by mail, and password reset: calls of visitors who are not signed in. Mounted at /api. */
export function registrationRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  return Router()
    .get(
      "/verification",
      route(SPECS.sendVerificationCode, async ({ query }, context) => {
        const visit = readVisit(context.request, context.facts, {
          isSecure: options.isSecure(),
          turnstile: query.turnstile,
        });
        await identity.sendVerificationCode({ email: query.email, visitor: visit.visitor }, context.call);
        return withCookies(ok(), visit);
      }),
    )
    .get(
      "/reset_password",
      route(SPECS.sendResetLink, async ({ query }, context) => {
        const visit = readVisit(context.request, context.facts, {
          isSecure: options.isSecure(),
          turnstile: query.turnstile,
        });
        await identity.requestPasswordReset({ email: query.email, visitor: visit.visitor }, context.call);
        return withCookies(ok(), visit);
      }),
    )
    .post(
      "/user/reset",
      route(SPECS.resetPassword, async ({ body }, { call, facts, request }) => {
        const { visitor } = readVisit(request, facts, { isSecure: options.isSecure() });
        const { password } = await identity.resetPassword(
          { ...body, visitor },
          { ...call, timeoutMs: PASSWORD_TIMEOUT_MS },
        );
        return ok(password);
      }),
    )
    .post(
      "/user/register",
      route(SPECS.registerUser, async ({ query, body }, context) => {
        const visit = readVisit(context.request, context.facts, {
          isSecure: options.isSecure(),
          turnstile: query.turnstile,
        });
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
