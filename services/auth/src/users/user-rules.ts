import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";

/** The inputs of the rules. */
export type Standing = { readonly role: number; readonly status: number };
export type UserAction = "promote" | "demote" | "disable" | "enable" | "delete";
export type ManageChange = { readonly role?: number; readonly status?: number; readonly isDeleted?: true };

const ACTIONS: readonly UserAction[] = ["promote", "demote", "disable", "enable", "delete"];

/** Parses an action's name; throws user_action_unknown. */
export function parseAction(action: string): UserAction {
  const known = ACTIONS.find((candidate) => candidate === action);
  if (!known) throw new AppError("user_action_unknown", "unknown user action", { params: { action } });
  return known;
}

/** Acting on a user requires a higher role; root may act on all. Throws user_level_too_high. */
export function checkMayActOn(actorRole: number, targetRole: number): void {
  if (actorRole !== ROLE.root && actorRole <= targetRole)
    throw new AppError("user_level_too_high", `role ${actorRole} may not act on role ${targetRole}`);
}

/** Seeing another user requires an administrator of a higher role. Throws permission_denied, user_level_too_high. */
export function checkMaySee(actorRole: number, targetRole: number): void {
  if (actorRole < ROLE.admin) throw new AppError("permission_denied", "ordinary users see themselves only");
  checkMayActOn(actorRole, targetRole);
}

/**
 * The role of a new user: an ordinary user, or one below the creator's. Throws user_create_level_too_high or
 * invalid_input.
 */
export function checkCreatedRole(actorRole: number, requested: number): number {
  const role = requested === 0 ? ROLE.user : requested;
  if (role >= actorRole) throw new AppError("user_create_level_too_high", `role ${actorRole} may not create ${role}`);
  if (role !== ROLE.user && role !== ROLE.admin)
    throw new AppError("invalid_input", "unknown role", { params: { detail: "role" } });
  return role;
}

function promote(actorRole: number, target: Standing): ManageChange {
  if (actorRole !== ROLE.root) throw new AppError("permission_denied", "only root promotes");
  if (target.role >= ROLE.admin) throw new AppError("already_admin", "the user is an administrator already");
  return { role: ROLE.admin };
}

function demote(target: Standing): ManageChange {
  if (target.role <= ROLE.user) throw new AppError("already_common", "the user is an ordinary one already");
  return { role: ROLE.user };
}

/**
 * The change an action makes, by actor and target. Throws user_level_too_high, permission_denied (promotion by an
 * admin), already_admin, already_common, or root_protected (root cannot be disabled, deleted or demoted).
 */
export function planManage(action: UserAction, actorRole: number, target: Standing): ManageChange {
  checkMayActOn(actorRole, target.role);
  if (action === "promote") return promote(actorRole, target);
  if (action === "enable") return { status: USER_STATUS.active };
  if (target.role === ROLE.root) throw new AppError("root_protected", `root cannot take the action ${action}`);
  if (action === "demote") return demote(target);
  return action === "disable" ? { status: USER_STATUS.banned } : { isDeleted: true };
}
