import { LoginBody } from "@turnpike/contract/api/user";
import { Router } from "express";
import { ok } from "../http/answer.ts";
import { endedSessionCookie, readSessionCookie, sessionCookie } from "../http/cookie.ts";
import { present } from "../join/present.ts";
import { toSignedInUser } from "../join/user-profile.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Signing in and out. Mounted at /api/user. */
export function sessionRoutes({ services: { auth }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  return Router()
    .post(
      "/login",
      route({ access: "anyone", body: LoginBody }, async ({ body }, { call, facts, request }) => {
        const userAgent = request.get("user-agent")?.slice(0, 300) ?? "";
        const { sessionId, user } = await auth.login(
          { username: body.username, password: body.password, address: facts.address, userAgent },
          { ...call, timeoutMs: 10_000 },
        );
        const headers = { "set-cookie": sessionCookie(sessionId, isSecure()) };
        return { ...ok(toSignedInUser(present(user, "user"))), headers };
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
