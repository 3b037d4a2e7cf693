import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor, CallContext } from "@turnpike/shared/grpc/context";

/** The admin behind the call; throws unauthenticated when a service calls on nobody's behalf, permission_denied below admin. */
export function requireAdmin({ actor }: CallContext): Actor {
  if (!actor) throw new AppError("unauthenticated", "the call names no actor");
  if (actor.role < ROLE.admin) throw new AppError("permission_denied", `role ${actor.role} is below admin`);
  return actor;
}

/** Lets services through, and people who act on themselves; throws permission_denied, to admins too. */
export function allowSelf({ actor }: CallContext, userId: number): void {
  if (actor && actor.userId !== userId) throw new AppError("permission_denied", "people act on themselves only here");
}

/** Lets services and admins through, and people who ask about themselves alone; throws permission_denied. */
export function allowOwner({ actor }: CallContext, userIds: readonly number[]): void {
  if (!actor || actor.role >= ROLE.admin) return;
  if (userIds.length === 0 || userIds.some((userId) => userId !== actor.userId))
    throw new AppError("permission_denied", "only admins read what belongs to others");
}
