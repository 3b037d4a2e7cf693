import { z } from "zod/mini";
import { NameList, SignedInUser, UserGroups, UserProfile } from "@turnpike/contract/api/user";
import { Done, successSchema } from "@turnpike/contract/api/common";
import { SelfDeleteBody, SelfUpdateBody, UserSettingBody } from "@turnpike/contract/api/self";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { endedSessionCookie, sessionCookie } from "../../http/security/cookie.ts";
import { acceptsUnsetPrices } from "../../presenters/user.ts";
import { getGroups, getModels, getPrices, isSellable, toUserGroups } from "../../presenters/billing/pricing.ts";
import { requireField } from "../../presenters/required-field.ts";
import { joinAccounts, toSignedInUser } from "../../presenters/user.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const NO_CHANGE = { username: undefined, displayName: undefined, originalPassword: undefined, password: undefined };

const SPECS = {
  listModels: {
    access: "user",
    summary: "List the models that the user may call",
    returns: successSchema(NameList),
  },
  listOwnGroups: {
    access: "user",
    summary: "List the groups that the user may choose",
    returns: successSchema(UserGroups),
  },
  listPublicGroups: {
    access: "anyone",
    summary: "List the groups that every user may choose",
    returns: successSchema(UserGroups),
  },
  readSelf: { access: "user", summary: "Read the own profile and balance", returns: successSchema(UserProfile) },
  changeSelf: {
    access: "user",
    summary: "Change the own profile or password",
    returns: successSchema(SignedInUser),
    body: SelfUpdateBody,
  },
  deleteSelf: {
    access: "user",
    summary: "Delete the own account",
    returns: Done,
    body: SelfDeleteBody,
    isBodyOptional: true,
  },
  changeSettings: { access: "user", summary: "Store the own settings", returns: Done, body: UserSettingBody },
  createAccessToken: {
    access: "user",
    summary: "Create a new access token for this API",
    returns: successSchema(z.string()),
    changesState: true,
  },
} as const;

/** Groups that a user may use, and the models in them. */
function groupRoutes({ services, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/models",
      route(SPECS.listModels, async (_, { caller, call }) => {
        const groups = await getGroups(services, caller.user.group, call);
        const models = await getModels(services, new Set(groups.map(({ group }) => group)), call);
        const prices = await getPrices(services, models, call);
        const isOffered = acceptsUnsetPrices(caller.user) ? () => true : isSellable;
        return ok(prices.filter(isOffered).map(({ modelName }) => modelName));
      }),
    )
    .get(
      "/self/groups",
      route(SPECS.listOwnGroups, async (_, { caller, call }) =>
        ok(toUserGroups(await getGroups(services, caller.user.group, call))),
      ),
    )
    .get(
      "/groups",
      route(SPECS.listPublicGroups, async (_, { call }) => ok(toUserGroups(await getGroups(services, "", call)))),
    );
}

/** What users may read and change about themselves. Mounted at /api/user. */
export function selfRoutes(deps: RoutesDeps): Router {
  const { services, route, options } = deps;
  const { auth, self } = services;
  return Router()
    .use(groupRoutes(deps))
    .get(
      "/self",
      route(SPECS.readSelf, async (_, { caller, call }) => {
        const [profile] = await joinAccounts(services, [caller.user], call);
        // The console calls this at every start: it extends the session in the browser and on the server together.
        const { sessionId } = caller;
        const headers = sessionId === undefined ? {} : { "set-cookie": sessionCookie(sessionId, options.isSecure()) };
        return { ...ok(requireField(profile, "user")), headers };
      }),
    )
    .put(
      "/self",
      route(SPECS.changeSelf, async ({ body }, { caller, call }) => {
        const { user } = await auth.updateSelf(
          {
            id: caller.user.id,
            username: body.username,
            displayName: body.display_name,
            originalPassword: body.original_password,
            password: body.password === "" ? undefined : body.password,
            sessionId: caller.sessionId ?? "",
            settingJson: undefined,
          },
          { ...call, timeoutMs: 10_000 },
        );
        return ok(toSignedInUser(requireField(user, "user")));
      }),
    )
    .delete(
      "/self",
      route(SPECS.deleteSelf, async ({ body }, { caller, call }) => {
        await self.deleteSelf({ userId: caller.user.id, confirmation: body.username }, call);
        return { ...ok(), headers: { "set-cookie": endedSessionCookie(options.isSecure()) } };
      }),
    )
    .put(
      "/setting",
      route(SPECS.changeSettings, async ({ body }, { caller, call }) => {
        const settingJson = JSON.stringify(body);
        const { id } = caller.user;
        await auth.updateSelf({ ...NO_CHANGE, id, sessionId: caller.sessionId ?? "", settingJson }, call);
        return ok();
      }),
    )
    .get(
      "/token",
      route(SPECS.createAccessToken, async (_, { caller, call }) =>
        ok((await auth.createAccessToken({ userId: caller.user.id }, call)).accessToken),
      ),
    );
}
