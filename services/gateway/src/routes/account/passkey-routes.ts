import { z } from "zod/mini";
import { Done, successSchema } from "@turnpike/contract/api/common";
import {
  Passkey,
  PasskeyCredentialBody,
  PasskeyNameBody,
  PasskeyParams,
  PasskeyOptions,
  SignInResult,
} from "@turnpike/contract/api/identity";
import type * as Proto from "@turnpike/proto/auth/v1/identity_service";
import { type Request, Router } from "express";
import { ok } from "../../http/api-response.ts";
import { requireSession } from "../../http/authenticator.ts";
import { pageOrigin, readVisit } from "../../http/visitor.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requireField } from "../../presenters/required-field.ts";
import { toSignInResponse } from "../../presenters/sign-in.ts";
import type { SiteOptions } from "../../site/site-options.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const toPasskey = (passkey: Proto.Passkey): Passkey => ({
  id: passkey.id,
  name: passkey.name,
  created_at: passkey.createdAtSeconds,
  last_used_at: passkey.lastUsedAtSeconds,
  backed_up: passkey.backedUp,
});

/** The page and the visitor that a passkey is created or used at, and the cookies that the response must set. */
function readPlace(request: Request, facts: RequestContext, options: SiteOptions) {
  const visit = readVisit(request, facts, { isSecure: options.isSecure() });
  return { visit, place: { origin: pageOrigin(request), visitor: visit.visitor } };
}

const SPECS = {
  beginSignIn: {
    access: "anyone",
    summary: "Start a sign-in with a passkey",
    returns: successSchema(PasskeyOptions),
  },
  finishSignIn: {
    access: "anyone",
    summary: "Finish a sign-in with a passkey",
    returns: successSchema(SignInResult),
    body: PasskeyCredentialBody,
  },
  beginRegistration: {
    access: "user",
    summary: "Start the registration of a passkey",
    returns: successSchema(PasskeyOptions),
  },
  finishRegistration: {
    access: "user",
    summary: "Finish the registration of a passkey",
    returns: successSchema(Passkey),
    body: PasskeyCredentialBody,
  },
  listPasskeys: { access: "user", summary: "List the passkeys", returns: successSchema(z.array(Passkey)) },
  renamePasskey: {
    access: "user",
    summary: "Rename a passkey",
    returns: successSchema(Passkey),
    params: PasskeyParams,
    body: PasskeyNameBody,
  },
  deletePasskey: { access: "user", summary: "Delete a passkey", returns: Done, params: PasskeyParams },
} as const;

/** Sign-in with a passkey. */
function passkeySignInRoutes({ services: { auth, identity }, route, options }: RoutesDeps): Router {
  return Router()
    .post(
      "/passkey/login/begin",
      route(SPECS.beginSignIn, async (_, { call, facts, request }) => {
        const { visit, place } = readPlace(request, facts, options);
        const { optionsJson } = await identity.beginPasskeySignIn(place, call);
        return {
          ...ok({ options: JSON.parse(optionsJson) as Record<string, unknown> }),
          headers: { "set-cookie": [...visit.cookies] },
        };
      }),
    )
    .post(
      "/passkey/login/finish",
      route(SPECS.finishSignIn, async ({ body }, { call, facts, request }) => {
        const { visit, place } = readPlace(request, facts, options);
        const credentialJson = JSON.stringify(body.credential);
        const { signedIn } = await identity.finishPasskeySignIn({ ...place, credentialJson }, call);
        return toSignInResponse(requireField(signedIn, "sign-in"), {
          auth,
          request,
          visit,
          isSecure: options.isSecure(),
          call,
        });
      }),
    );
}

/** Registration of a passkey: the browser creates it from the options, then sends it. */
function passkeyRegistrationRoutes({ services: { identity }, route, options }: RoutesDeps): Router {
  return Router()
    .post(
      "/passkey/register/begin",
      route(SPECS.beginRegistration, async (_, { caller, call, facts, request }) => {
        const { visit, place } = readPlace(request, facts, options);
        const { optionsJson } = await identity.beginPasskeyRegistration(
          { userId: requireSession(caller), ...place },
          call,
        );
        return {
          ...ok({ options: JSON.parse(optionsJson) as Record<string, unknown> }),
          headers: { "set-cookie": [...visit.cookies] },
        };
      }),
    )
    .post(
      "/passkey/register/finish",
      route(SPECS.finishRegistration, async ({ body }, { caller, call, facts, request }) => {
        const { place } = readPlace(request, facts, options);
        const sent = { credentialJson: JSON.stringify(body.credential), name: body.name };
        const { passkey } = await identity.finishPasskeyRegistration(
          { userId: requireSession(caller), ...place, ...sent },
          call,
        );
        return ok(toPasskey(requireField(passkey, "passkey")));
      }),
    );
}

/** Passkeys: sign-in, registration and the list of a user's own. */
export function passkeyRoutes(deps: RoutesDeps): Router {
  const { identity } = deps.services;
  const { route } = deps;
  return Router()
    .use(passkeySignInRoutes(deps), passkeyRegistrationRoutes(deps))
    .get(
      "/passkey",
      route(SPECS.listPasskeys, async (_, { caller, call }) =>
        ok((await identity.listPasskeys({ userId: caller.user.id }, call)).passkeys.map(toPasskey)),
      ),
    )
    .put(
      "/passkey/:passkey",
      route(SPECS.renamePasskey, async ({ params, body }, { caller, call }) => {
        const change = { userId: requireSession(caller), id: params.passkey, name: body.name };
        return ok(toPasskey(requireField((await identity.renamePasskey(change, call)).passkey, "passkey")));
      }),
    )
    .delete(
      "/passkey/:passkey",
      route(SPECS.deletePasskey, async ({ params }, { caller, call }) => {
        await identity.deletePasskey({ userId: requireSession(caller), id: params.passkey }, call);
        return ok();
      }),
    );
}
