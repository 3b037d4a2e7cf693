import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor, CallContext } from "@turnpike/shared/grpc/context";

/** The person behind the call; throws unauthenticated when a service calls on nobody's behalf. */
export function requireActor(context: CallContext): Actor {
  if (!context.actor) throw new AppError("unauthenticated", "the call names no actor");
  return context.actor;
}

/** The person behind the call, when their role is high enough; throws unauthenticated or permission_denied. */
export function requireRole(context: CallContext, role: number): Actor {
  const actor = requireActor(context);
  if (actor.role < role) throw new AppError("permission_denied", `role ${actor.role} is below ${role}`);
  return actor;
}

/** The person behind the call, when they act on themselves; throws unauthenticated or permission_denied. */
export function requireSelf(context: CallContext, userId: number): Actor {
  const actor = requireActor(context);
  if (actor.userId !== userId) throw new AppError("permission_denied", "users act on themselves only here");
  return actor;
}
