import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor, CallContext } from "@turnpike/shared/grpc/context";

function requireActor({ actor }: CallContext): Actor {
  if (!actor) throw new AppError("unauthenticated", "the call names no actor");
  return actor;
}

/** The admin behind the call; throws unauthenticated for calls on nobody's behalf, permission_denied for other people. */
export function requireAdmin(context: CallContext): Actor {
  const actor = requireActor(context);
  if (actor.role < ROLE.admin) throw new AppError("permission_denied", `role ${actor.role} is below ${ROLE.admin}`);
  return actor;
}

/** Lets people read their own inbox only; throws unauthenticated or permission_denied. */
export function requireSelf(context: CallContext, userId: number): void {
  if (requireActor(context).userId !== userId) throw new AppError("permission_denied", "an inbox is its owner's");
}
