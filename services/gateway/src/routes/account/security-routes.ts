import { z } from "zod/mini";
import {
  BindingParams,
  CodeBody,
  OpenSession,
  RecoveryCodes,
  RevokeAllBody,
  SessionParams,
  TwoFactorSetup,
  TwoFactorStatus,
} from "@turnpike/contract/api/identity";
import { IdParams, Done, successSchema } from "@turnpike/contract/api/common";
import type * as Proto from "@turnpike/proto/auth/v1/identity_service";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { requireSession } from "../../http/authenticator.ts";
import { endedSessionCookie } from "../../http/security/cookie.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const toOpenSession = (session: Proto.OpenSession): OpenSession => ({
  id: session.id,
  current: session.current,
  address: session.address,
  user_agent: session.userAgent,
  created_at: session.createdAtSeconds,
  last_seen_at: session.lastSeenAtSeconds,
});

const SPECS = {
  readTwoFactor: {
    access: "user",
    summary: "Read the state of the second factor",
    returns: successSchema(TwoFactorStatus),
  },
  setUpTwoFactor: {
    access: "user",
    summary: "Create a secret for the second factor",
    returns: successSchema(TwoFactorSetup),
  },
  enableTwoFactor: {
    access: "user",
    summary: "Turn the second factor on",
    returns: successSchema(RecoveryCodes),
    body: CodeBody,
  },
  disableTwoFactor: { access: "user", summary: "Turn the second factor off", returns: Done, body: CodeBody },
  replaceRecoveryCodes: {
    access: "user",
    summary: "Replace the recovery codes",
    returns: successSchema(RecoveryCodes),
    body: CodeBody,
  },
  clearTwoFactor: {
    access: "admin",
    summary: "Turn the second factor of a user off",
    returns: Done,
    params: IdParams,
  },
  listSessions: { access: "user", summary: "List the open sessions", returns: successSchema(z.array(OpenSession)) },
  endSession: { access: "user", summary: "End a session", returns: Done, params: SessionParams },
  endAllSessions: {
    access: "user",
    summary: "End all sessions",
    returns: Done,
    body: RevokeAllBody,
    isBodyOptional: true,
  },
  unbind: { access: "user", summary: "Unbind a third-party account", returns: Done, params: BindingParams },
} as const;

/** Second-factor routes. */
function twoFactorRoutes({ services: { identity }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/2fa/status",
      route(SPECS.readTwoFactor, async (_, { caller, call }) => {
        const status = await identity.getTwoFactor({ userId: caller.user.id }, call);
        const data: TwoFactorStatus = {
          enabled: status.enabled,
          recovery_codes_left: status.recoveryCodesLeft,
          enabled_at: status.enabledAtSeconds,
        };
        return ok(data);
      }),
    )
    .post(
      "/2fa/setup",
      route(SPECS.setUpTwoFactor, async (_, { caller, call }) => {
        const { secret, otpauthUrl } = await identity.setUpTwoFactor({ userId: requireSession(caller) }, call);
        const data: TwoFactorSetup = { secret, otpauth_url: otpauthUrl };
        return ok(data);
      }),
    )
    .post(
      "/2fa/enable",
      route(SPECS.enableTwoFactor, async ({ body }, { caller, call }) => {
        const { recoveryCodes } = await identity.enableTwoFactor({ userId: requireSession(caller), ...body }, call);
        const data: RecoveryCodes = { recovery_codes: [...recoveryCodes] };
        return ok(data);
      }),
    )
    .post(
      "/2fa/disable",
      route(SPECS.disableTwoFactor, async ({ body }, { caller, call }) => {
        await identity.disableTwoFactor({ userId: requireSession(caller), ...body }, call);
        return ok();
      }),
    )
    .post(
      "/2fa/recovery_codes",
      route(SPECS.replaceRecoveryCodes, async ({ body }, { caller, call }) => {
        const { recoveryCodes } = await identity.replaceRecoveryCodes(
          { userId: requireSession(caller), ...body },
          call,
        );
        const data: RecoveryCodes = { recovery_codes: [...recoveryCodes] };
        return ok(data);
      }),
    )
    .delete(
      "/:id/2fa",
      route(SPECS.clearTwoFactor, async ({ params }, { call }) => {
        await identity.clearTwoFactor({ userId: params.id }, call);
        return ok();
      }),
    );
}

/** Open sessions and bound third-party accounts. */
function sessionListRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  return Router()
    .get(
      "/sessions",
      route(SPECS.listSessions, async (_, { caller, call }) => {
        const { sessionId = "", user } = caller;
        return ok((await identity.listSessions({ userId: user.id, sessionId }, call)).sessions.map(toOpenSession));
      }),
    )
    .delete(
      "/sessions/:session",
      route(SPECS.endSession, async ({ params }, { caller, call }) => {
        await identity.endSession({ userId: caller.user.id, id: params.session }, call);
        return ok();
      }),
    )
    .post(
      "/sessions/revoke_all",
      route(SPECS.endAllSessions, async ({ body }, { caller, call }) => {
        const survivingSessionId = body.keep_current ? (caller.sessionId ?? "") : "";
        await identity.endAllSessions({ userId: caller.user.id, survivingSessionId }, call);
        const headers = body.keep_current ? {} : { "set-cookie": endedSessionCookie(options.isSecure()) };
        return { ...ok(), headers };
      }),
    )
    .delete(
      "/bindings/:type",
      route(SPECS.unbind, async ({ params }, { caller, call }) => {
        await identity.unbind({ userId: requireSession(caller), type: params.type }, call);
        return ok();
      }),
    );
}

/** Account security: second factor, passkeys, sessions, bindings. Mounted at /api/user, before `/:id`. */
export const securityRoutes = (deps: RoutesDeps): Router =>
  Router().use(twoFactorRoutes(deps), passkeyRoutes(deps), sessionListRoutes(deps));
