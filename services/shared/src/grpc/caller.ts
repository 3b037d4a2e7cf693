import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "../errors/app-error.ts";
import type { Actor, CallContext } from "./context.ts";

function requireActor({ actor }: CallContext): Actor {
  if (!actor) throw new AppError("unauthenticated", "the call names no actor");
  return actor;
}

/**
 * The administrator behind the call; throws unauthenticated for calls without an actor, permission_denied for other
 * users.
 */
export function requireAdmin(context: CallContext): Actor {
  const actor = requireActor(context);
  if (actor.role < ROLE.admin) throw new AppError("permission_denied", `role ${actor.role} is below ${ROLE.admin}`);
  return actor;
}

/**
 * The user behind the call, when acting on their own data; throws unauthenticated or permission_denied, also for
 * admins.
 */
export function requireSelf(context: CallContext, userId: number): Actor {
  const actor = requireActor(context);
  if (actor.userId !== userId) throw new AppError("permission_denied", "users may act on their own data only");
  return actor;
}

/** Admits only services without an actor: the response is not for users. Throws permission_denied. */
export function requireService({ actor }: CallContext): void {
  if (actor) throw new AppError("permission_denied", "only services may call this");
}

/** Allows services, and a user who acts on themselves; throws permission_denied for all others, administrators included. */
export function allowSelf({ actor }: CallContext, userId: number): void {
  if (actor && actor.userId !== userId) throw new AppError("permission_denied", "only the user themselves may do this");
}

/** The root user behind the call; throws unauthenticated or permission_denied. */
export function requireRoot(context: CallContext): Actor {
  const actor = requireActor(context);
  if (actor.role !== ROLE.root) throw new AppError("permission_denied", "only root may do this");
  return actor;
}

/** Allows services, a user who acts on themselves, and root; throws permission_denied for all others. */
export function allowSelfOrRoot(context: CallContext, userId: number): void {
  if (context.actor?.role !== ROLE.root) allowSelf(context, userId);
}

/** Allows services, administrators, and a user who reads their own data; throws permission_denied for all others. */
export function allowOwner({ actor }: CallContext, userIds: readonly number[]): void {
  if (!actor || actor.role >= ROLE.admin) return;
  if (userIds.length === 0 || userIds.some((userId) => userId !== actor.userId))
    throw new AppError("permission_denied", "only administrators read the data of other users");
}
