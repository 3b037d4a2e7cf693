import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { ROLE } from "@turnpike/contract/codes";
import { requireAdmin, requireSelf, requireService } from "@turnpike/shared/grpc/caller";
import type { AccountOpenings } from "../account-openings/account-openings.ts";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { Principals } from "../users/principal.ts";
import { toAdministeredUser, toListedUser, toUser } from "../users/user.ts";
import type { UserAdmin } from "./user-admin.ts";
import type { UserSelf } from "./user-self.ts";

type Rpcs =
  | "getUser"
  | "listUsers"
  | "listUserIds"
  | "createUser"
  | "updateUser"
  | "manageUser"
  | "updateSelf"
  | "getPrincipal"
  | "openAccount";

/** What services may see. */
const SERVICE = { role: ROLE.root, userId: 0 } as const;

/** RPCs over users. Services read without an actor; every change requires one. */
export const userHandlers = (deps: {
  admin: UserAdmin;
  self: UserSelf;
  principals: Principals;
  openings: Pick<AccountOpenings, "openNow">;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async getUser({ id }, context) {
    const user = await deps.admin.get(context.actor, id);
    const isAdmin = context.actor !== undefined && context.actor.role >= ROLE.admin;
    return { user: isAdmin ? toAdministeredUser(user, context.actor.userId) : toUser(user) };
  },
  async listUsers(request, context) {
    const viewer = context.actor ? requireAdmin(context) : SERVICE;
    const { group, role, status, ids } = request;
    const filter = { keyword: request.keyword.trim(), group, role, status, ids, viewerRole: viewer.role };
    const { items, total } = await deps.admin.list(filter, toPageRange(request, 1));
    return { items: items.map((doc) => toListedUser(doc, viewer)), total };
  },
  async listUserIds(request, context) {
    const { role: viewerRole } = requireAdmin(context);
    return { ids: await deps.admin.listIds({ ...request, keyword: request.keyword.trim(), viewerRole }) };
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
    await deps.openings.openNow(userId);
    return {};
  },
});
