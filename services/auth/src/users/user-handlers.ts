import { ROLE } from "@turnpike/contract/limits";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { requireRole, requireSelf } from "../edge/caller.ts";
import { toPageRange } from "../edge/query.ts";
import type { Principals } from "./principal.ts";
import { toUser } from "./user.ts";
import type { UserAdmin } from "./user-admin.ts";
import type { UserSelf } from "./user-self.ts";

type Rpcs = "getUser" | "listUsers" | "createUser" | "updateUser" | "manageUser" | "updateSelf" | "getPrincipal";

/** The rpcs over users. Services read on nobody's behalf; every change needs somebody behind it. */
export const userHandlers = (deps: {
  admin: UserAdmin;
  self: UserSelf;
  principals: Principals;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async getUser({ id }, context) {
    return { user: toUser(await deps.admin.get(context.actor, id)) };
  },
  async listUsers(request, context) {
    if (context.actor) requireRole(context, ROLE.admin);
    const filter = { keyword: request.keyword.trim(), group: request.group };
    const { items, total } = await deps.admin.list(filter, toPageRange(request));
    return { items: items.map(toUser), total };
  },
  async createUser(request, context) {
    return { user: toUser(await deps.admin.create(requireRole(context, ROLE.admin), request)) };
  },
  async updateUser(request, context) {
    return { user: toUser(await deps.admin.update(requireRole(context, ROLE.admin), request)) };
  },
  async manageUser({ id, action }, context) {
    return { user: toUser(await deps.admin.manage(requireRole(context, ROLE.admin), id, action)) };
  },
  async updateSelf(request, context) {
    return { user: toUser(await deps.self.update(requireSelf(context, request.id), request)) };
  },
  getPrincipal: ({ userId }) => deps.principals.get(userId),
});
