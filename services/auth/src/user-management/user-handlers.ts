import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { ROLE } from "@turnpike/contract/limits";
import { requireAdmin, requireSelf, requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { AccountOpener } from "../account-openings/account-opener.ts";
import type { Principals } from "../users/principal.ts";
import { toListedUser, toUser } from "../users/user.ts";
import type { UserAdmin } from "./user-admin.ts";
import type { UserSelf } from "./user-self.ts";

type Rpcs =
  | "getUser"
  | "listUsers"
  | "createUser"
  | "updateUser"
  | "manageUser"
  | "updateSelf"
  | "getPrincipal"
  | "openAccount";

/** RPCs over users. Services read without an actor; every change requires one. */
export const userHandlers = (deps: {
  admin: UserAdmin;
  self: UserSelf;
  principals: Principals;
  opener: Pick<AccountOpener, "openNow">;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async getUser({ id }, context) {
    return { user: toUser(await deps.admin.get(context.actor, id)) };
  },
  async listUsers(request, context) {
    const viewerRole = context.actor ? requireAdmin(context).role : ROLE.root;
    const { group, role, status } = request;
    const filter = { keyword: request.keyword.trim(), group, role, status, viewerRole };
    const { items, total } = await deps.admin.list(filter, toPageRange(request, 1));
    return { items: items.map((doc) => toListedUser(doc, viewerRole)), total };
  },
  async createUser(request, context) {
    return { user: toUser(await deps.admin.create(requireAdmin(context), request)) };
  },
  async updateUser(request, context) {
    return { user: toUser(await deps.admin.update(requireAdmin(context), request)) };
  },
  async manageUser({ id, action }, context) {
    return { user: toUser(await deps.admin.manage(requireAdmin(context), id, action)) };
  },
  async updateSelf(request, context) {
    return { user: toUser(await deps.self.update(requireSelf(context, request.id), request)) };
  },
  getPrincipal: ({ userId }) => deps.principals.get(userId),
  async openAccount({ userId }, context) {
    requireService(context);
    await deps.opener.openNow(userId);
    return {};
  },
});
