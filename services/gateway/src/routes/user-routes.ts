import { IdParams, pageQuery, Done, successSchema } from "@turnpike/contract/api/common";
import { UserFilter, UserUpdateBody, SignedInUser, UserPage, UserProfile } from "@turnpike/contract/api/user";
import { TokenPage } from "@turnpike/contract/api/token";
import { UserCreateBody, UserManageBody, UserManageResult } from "@turnpike/contract/api/user-admin";
import type { User } from "@turnpike/proto/auth/v1/auth_service";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { RouteContext } from "../http/route-spec.ts";
import type { Services } from "../http/services.ts";
import { requireField } from "../presenters/required-field.ts";
import { toToken } from "../presenters/token.ts";
import { requireGroups } from "../site/groups.ts";
import { joinAccounts, toSignedInUser, toUserProfile } from "../presenters/user.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

/** Changes a user, then the balance where the form has one. */
async function updateUser(
  services: Services,
  body: z.output<typeof UserUpdateBody>,
  { call, facts }: RouteContext<"admin">,
): Promise<User> {
  const { auth, accounts } = services;
  const { id, username, display_name: displayName, group, admin_note: adminNote } = body;
  await requireGroups(services, [group ?? ""], call);
  const { quota, quota_change: change, quota_note: note = "", allow_negative: allowNegative } = body;
  const { action_id: action } = body;
  // Another administrator's id, or one for another user, is another action.
  const actionId = action === undefined ? facts.requestId : `${call.actor?.userId ?? 0}:${id}:${action}`;
  const password = body.password === "" ? undefined : body.password;
  // Runs first, because it also decides whether this administrator may change this user at all.
  const edited = await auth.updateUser(
    { id, username, displayName, group, password, adminNote },
    { ...call, timeoutMs: 10_000 },
  );
  const user = requireField(edited.user, "user");
  if (quota !== undefined || change !== undefined) {
    const figure = { quota: quota ?? 0, change, note, allowNegative };
    await accounts.setQuota({ userId: id, username: user.username, ...figure, actionId }, call);
  }
  return user;
}

type ListQuery = z.output<typeof UserFilter> & { readonly page: number; readonly pageSize: number };

/**
 * One page of users by a figure of their accounts, highest first. Billing has the figures, auth the filters: a filtered list is
 * sorted among the users that auth finds.
 */
async function listByFigure(
  { auth, accounts }: Services,
  { sort = "balance", page, pageSize, ...filter }: ListQuery,
  call: CallOptions,
) {
  const isFiltered = [filter.keyword, filter.group, filter.role, filter.status].some((value) => Boolean(value));
  const { ids: userIds } = isFiltered ? await auth.listUserIds(filter, call) : { ids: [] };
  if (isFiltered && userIds.length === 0) return { items: [], total: 0 };
  const ranked = await accounts.rankAccounts({ sort, page, pageSize, userIds }, call);
  if (ranked.accounts.length === 0) return { items: [], total: ranked.total };
  const ids = ranked.accounts.map(({ userId }) => userId);
  const found = await auth.listUsers({ ...NO_FILTER, page: 1, pageSize: ids.length, ids }, call);
  const users = new Map(found.items.map((user) => [user.id, user]));
  const items = ranked.accounts.flatMap((account) => {
    const user = users.get(account.userId);
    return user ? [toUserProfile(user, account)] : [];
  });
  return { items, total: ranked.total };
}

const NO_FILTER = { keyword: "", group: "", role: 0, status: 0 } as const;

const SPECS = {
  listUsers: {
    access: "admin",
    summary: "List users",
    returns: successSchema(UserPage),
    query: z.intersection(UserFilter, pageQuery(1)),
  },
  readUser: { access: "admin", summary: "Read a user", returns: successSchema(UserProfile), params: IdParams },
  listTokensOfUser: {
    access: "admin",
    summary: "List the tokens of a user, without their keys",
    returns: successSchema(TokenPage),
    params: IdParams,
    query: pageQuery(0),
  },
  deleteUser: { access: "admin", summary: "Delete a user", returns: Done, params: IdParams },
  createUser: { access: "admin", summary: "Create a user", returns: successSchema(SignedInUser), body: UserCreateBody },
  changeUser: { access: "admin", summary: "Change a user", returns: successSchema(SignedInUser), body: UserUpdateBody },
  manageUser: {
    access: "admin",
    summary: "Promote, demote, enable, disable or delete a user",
    returns: successSchema(UserManageResult),
    body: UserManageBody,
  },
} as const;

/** User administration. Mounted at /api/user, after the routes that every user has. */
export function userRoutes({ services, route }: RoutesDeps): Router {
  const { auth } = services;
  const list = route(SPECS.listUsers, async ({ query }, { call }) => {
    if (query.sort !== undefined) return okPage(query, await listByFigure(services, query, call));
    const found = await auth.listUsers({ ...query, ids: [] }, call);
    return okPage(query, { items: await joinAccounts(services, found.items, call), total: found.total });
  });
  return Router()
    .get("/", list)
    .get("/search", list)
    .get(
      "/:id",
      route(SPECS.readUser, async ({ params }, { call }) => {
        const user = requireField((await auth.getUser(params, call)).user, "user");
        const [profile] = await joinAccounts(services, [user], call);
        return ok(requireField(profile, "user"));
      }),
    )
    .get(
      "/:id/tokens",
      route(SPECS.listTokensOfUser, async ({ params, query }, { call }) => {
        const { page, pageSize } = query;
        const request = { userId: params.id, page, pageSize, keyword: "", token: "" };
        const found = await services.tokens.listTokens(request, call);
        return okPage(query, { items: found.items.map(toToken), total: found.total });
      }),
    )
    .delete(
      "/:id",
      route(SPECS.deleteUser, async ({ params }, { call }) => {
        await auth.manageUser({ id: params.id, action: "delete" }, call);
        return ok();
      }),
    )
    .post(
      "/",
      route(SPECS.createUser, async ({ body }, { call }) => {
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
      route(SPECS.changeUser, async ({ body }, context) =>
        ok(toSignedInUser(await updateUser(services, body, context))),
      ),
    )
    .post(
      "/manage",
      route(SPECS.manageUser, async ({ body }, { call }) => {
        const user = requireField((await auth.manageUser(body, call)).user, "user");
        return ok({ role: user.role, status: user.status });
      }),
    );
}
