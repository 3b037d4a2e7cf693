import {
  BindingParams,
  CodeBody,
  type OpenSession,
  type Passkey,
  PasskeyCredentialBody,
  PasskeyNameBody,
  PasskeyParams,
  type RecoveryCodes,
  RevokeAllBody,
  SessionParams,
  type TwoFactorSetup,
  type TwoFactorStatus,
} from "@turnpike/contract/api/identity";
import { IdParams } from "@turnpike/contract/api/common";
import type * as Proto from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { type Request, Router } from "express";
import { ok } from "../http/api-response.ts";
import type { Caller } from "../http/authenticator.ts";
import { endedSessionCookie } from "../http/cookie.ts";
import { pageOrigin, readVisit } from "../http/visitor.ts";
import type { RequestContext } from "../http/request-context.ts";
import { requireField } from "../presenters/required-field.ts";
import { toSignInResponse } from "../presenters/sign-in.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const toPasskey = (passkey: Proto.Passkey): Passkey => ({
  id: passkey.id,
  name: passkey.name,
  created_at: passkey.createdAtSeconds,
  last_used_at: passkey.lastUsedAtSeconds,
  backed_up: passkey.backedUp,
});
const toOpenSession = (session: Proto.OpenSession): OpenSession => ({
  id: session.id,
  current: session.current,
  address: session.address,
  user_agent: session.userAgent,
  created_at: session.createdAtSeconds,
  last_seen_at: session.lastSeenAtSeconds,
});

/** The caller's id, for what opens or closes ways in: a system access token must not be able to. Throws permission_denied. */
function ownerInPerson({ user, sessionId }: Caller): number {
  if (sessionId !== undefined) return user.id;
  throw new AppError("permission_denied", "an access token may not change how its owner signs in");
}

/** The second factor. */
function twoFactorRoutes({ services: { identity }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/2fa/status",
      route({ access: "user" }, async (_, { caller, call }) => {
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
      route({ access: "user" }, async (_, { caller, call }) => {
        const { secret, otpauthUrl } = await identity.setUpTwoFactor({ userId: ownerInPerson(caller) }, call);
        const data: TwoFactorSetup = { secret, otpauth_url: otpauthUrl };
        return ok(data);
      }),
    )
    .post(
      "/2fa/enable",
      route({ access: "user", body: CodeBody }, async ({ body }, { caller, call }) => {
        const { recoveryCodes } = await identity.enableTwoFactor({ userId: ownerInPerson(caller), ...body }, call);
        const data: RecoveryCodes = { recovery_codes: [...recoveryCodes] };
        return ok(data);
      }),
    )
    .post(
      "/2fa/disable",
      route({ access: "user", body: CodeBody }, async ({ body }, { caller, call }) => {
        await identity.disableTwoFactor({ userId: ownerInPerson(caller), ...body }, call);
        return ok();
      }),
    )
    .post(
      "/2fa/recovery_codes",
      route({ access: "user", body: CodeBody }, async ({ body }, { caller, call }) => {
        const { recoveryCodes } = await identity.replaceRecoveryCodes({ userId: ownerInPerson(caller), ...body }, call);
        const data: RecoveryCodes = { recovery_codes: [...recoveryCodes] };
        return ok(data);
      }),
    )
    .delete(
      "/:id/2fa",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        await identity.clearTwoFactor({ userId: params.id }, call);
        return ok();
      }),
    );
}

/** Passkeys: a person's own, and signing in by one. */
function passkeyRoutes({ services: { auth, identity }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  const readRequestVisit = (request: Request, facts: RequestContext) =>
    readVisit(request, facts, { isSecure: isSecure() });
  return Router()
    .post(
      "/passkey/login/begin",
      route({ access: "anyone" }, async (_, { call, facts, request }) => {
        const visit = readRequestVisit(request, facts);
        const place = { origin: pageOrigin(request), visitor: visit.visitor };
        const { optionsJson } = await identity.beginPasskeySignIn(place, call);
        return {
          ...ok({ options: JSON.parse(optionsJson) as object }),
          headers: { "set-cookie": [...visit.cookies] },
        };
      }),
    )
    .post(
      "/passkey/login/finish",
      route({ access: "anyone", body: PasskeyCredentialBody }, async ({ body }, { call, facts, request }) => {
        const visit = readRequestVisit(request, facts);
        const place = { origin: pageOrigin(request), visitor: visit.visitor };
        const asked = { ...place, credentialJson: JSON.stringify(body.credential) };
        const { signedIn } = await identity.finishPasskeySignIn(asked, call);
        return toSignInResponse(requireField(signedIn, "sign-in"), {
          auth,
          request,
          visit,
          isSecure: isSecure(),
          call,
        });
      }),
    )
    .post(
      "/passkey/register/begin",
      route({ access: "user" }, async (_, { caller, call, facts, request }) => {
        const visit = readRequestVisit(request, facts);
        const place = { origin: pageOrigin(request), visitor: visit.visitor };
        const { optionsJson } = await identity.beginPasskeyRegistration(
          { userId: ownerInPerson(caller), ...place },
          call,
        );
        return {
          ...ok({ options: JSON.parse(optionsJson) as object }),
          headers: { "set-cookie": [...visit.cookies] },
        };
      }),
    )
    .post(
      "/passkey/register/finish",
      route({ access: "user", body: PasskeyCredentialBody }, async ({ body }, { caller, call, facts, request }) => {
        const { visitor } = readRequestVisit(request, facts);
        const asked = { userId: ownerInPerson(caller), origin: pageOrigin(request), visitor };
        const sent = { credentialJson: JSON.stringify(body.credential), name: body.name };
        const { passkey } = await identity.finishPasskeyRegistration({ ...asked, ...sent }, call);
        return ok(toPasskey(requireField(passkey, "passkey")));
      }),
    )
    .get(
      "/passkey",
      route({ access: "user" }, async (_, { caller, call }) =>
        ok((await identity.listPasskeys({ userId: caller.user.id }, call)).passkeys.map(toPasskey)),
      ),
    )
    .put(
      "/passkey/:passkey",
      route(
        { access: "user", params: PasskeyParams, body: PasskeyNameBody },
        async ({ params, body }, { caller, call }) => {
          const asked = { userId: ownerInPerson(caller), id: params.passkey, name: body.name };
          return ok(toPasskey(requireField((await identity.renamePasskey(asked, call)).passkey, "passkey")));
        },
      ),
    )
    .delete(
      "/passkey/:passkey",
      route({ access: "user", params: PasskeyParams }, async ({ params }, { caller, call }) => {
        await identity.deletePasskey({ userId: ownerInPerson(caller), id: params.passkey }, call);
        return ok();
      }),
    );
}

/** Open sessions, and what is bound to an account. */
function sessionListRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  const isSecure = (): boolean => options.current().text("ServerAddress").startsWith("https:");
  return Router()
    .get(
      "/sessions",
      route({ access: "user" }, async (_, { caller, call }) => {
        const asked = { userId: caller.user.id, sessionId: caller.sessionId ?? "" };
        return ok((await identity.listSessions(asked, call)).sessions.map(toOpenSession));
      }),
    )
    .delete(
      "/sessions/:session",
      route({ access: "user", params: SessionParams }, async ({ params }, { caller, call }) => {
        await identity.endSession({ userId: caller.user.id, id: params.session }, call);
        return ok();
      }),
    )
    .post(
      "/sessions/revoke_all",
      route({ access: "user", body: RevokeAllBody, isBodyOptional: true }, async ({ body }, { caller, call }) => {
        const survivingSessionId = body.keep_current ? (caller.sessionId ?? "") : "";
        await identity.endAllSessions({ userId: caller.user.id, survivingSessionId }, call);
        const headers = body.keep_current ? {} : { "set-cookie": endedSessionCookie(isSecure()) };
        return { ...ok(), headers };
      }),
    )
    .delete(
      "/bindings/:type",
      route({ access: "user", params: BindingParams }, async ({ params }, { caller, call }) => {
        await identity.unbind({ userId: ownerInPerson(caller), type: params.type }, call);
        return ok();
      }),
    );
}

/** How people secure their account: second factor, passkeys, sessions, bindings. Mounted at /api/user, before `/:id`. */
export const securityRoutes = (deps: RoutesDeps): Router =>
  Router().use(twoFactorRoutes(deps), passkeyRoutes(deps), sessionListRoutes(deps));
