import type { UserProfile } from "@turnpike/contract/api/user";
import type { USER_ACTIONS } from "@turnpike/contract/api/user-admin";
import { ROLE, USER_STATUS } from "@turnpike/contract/codes";

export type UserAction = (typeof USER_ACTIONS)[number];
type Target = Pick<UserProfile, "role" | "status" | "DeletedAt">;

/** A user who cannot be enabled again in the console. */
const STATUS_LOCKED = 3;

/** Whether a role may see and change a user: only users of a lower role; root may change all. */
export const canManageUser = (actorRole: number, target: Target): boolean =>
  target.DeletedAt === null && (actorRole === ROLE.root || actorRole > target.role);

const withoutRoot: readonly UserAction[] = ["disable", "demote", "delete"];

/** The actions that a role may take on a user, by the server's rules. Deregistered users have none. */
export function listUserActions(actorRole: number, target: Target): readonly UserAction[] {
  if (!canManageUser(actorRole, target)) return [];
  const change: UserAction = target.status === USER_STATUS.active ? "disable" : "enable";
  const rank: readonly UserAction[] =
    target.role >= ROLE.admin ? ["demote"] : actorRole === ROLE.root ? ["promote"] : [];
  const all: readonly UserAction[] = [change, ...rank, "delete"];
  return target.role === ROLE.root ? all.filter((action) => !withoutRoot.includes(action)) : all;
}

/** Whether a disabled user may be enabled again. */
export const canEnable = ({ status }: Target): boolean => status !== STATUS_LOCKED;
