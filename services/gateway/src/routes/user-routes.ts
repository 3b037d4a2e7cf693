import { IdParams, pageQuery } from "@turnpike/contract/api/common";
import { UserFilter, UserUpdateBody } from "@turnpike/contract/api/user";
import { UserCreateBody, UserManageBody } from "@turnpike/contract/api/user-admin";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import { requireField } from "../presenters/required-field.ts";
import { joinAccounts, toSignedInUser } from "../presenters/user.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** User administration. Mounted at /api/user, after the calls that anybody has. */
export function userRoutes({ services, route }: RoutesDeps): Router {
  const { auth, accounts } = services;
  const list = route({ access: "admin", query: UserFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
    const found = await auth.listUsers(query, call);
    return okPage(query, { items: await joinAccounts(services, found.items, call), total: found.total });
  });
  return Router()
    .get("/", list)
    .get("/search", list)
    .get(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        const user = requireField((await auth.getUser(params, call)).user, "user");
        const [profile] = await joinAccounts(services, [user], call);
        return ok(profile);
      }),
    )
    .delete(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        await auth.manageUser({ id: params.id, action: "delete" }, call);
        return ok();
      }),
    )
    .post(
      "/",
      route({ access: "admin", body: UserCreateBody }, async ({ body }, { call }) => {
        const { username, password, display_name: displayName, role } = body;
        const { user } = await auth.createUser(
          { username, password, displayName, role },
          { ...call, timeoutMs: 10_000 },
        );
        return ok(toSignedInUser(requireField(user, "user")));
      }),
    )
    .put(
      "/",
      route({ access: "admin", body: UserUpdateBody }, async ({ body }, { call, facts }) => {
        const { id, username, display_name: displayName, group, quota } = body;
        const password = body.password === "" ? undefined : body.password;
        // First, as it also decides whether this admin may touch this user at all.
        const edited = await auth.updateUser(
          { id, username, displayName, group, password },
          { ...call, timeoutMs: 10_000 },
        );
        const user = requireField(edited.user, "user");
        if (quota !== undefined) {
          await accounts.setQuota({ userId: id, username: user.username, quota, actionId: facts.requestId }, call);
        }
        return ok(toSignedInUser(user));
      }),
    )
    .post(
      "/manage",
      route({ access: "admin", body: UserManageBody }, async ({ body }, { call }) => {
        const user = requireField((await auth.manageUser(body, call)).user, "user");
        return ok({ role: user.role, status: user.status });
      }),
    );
}
