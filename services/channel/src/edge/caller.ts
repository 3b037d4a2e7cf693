import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor, CallContext } from "@turnpike/shared/grpc/context";

/** The admin behind the call; throws unauthenticated for calls on nobody's behalf, permission_denied for other people. */
export function requireAdmin({ actor }: CallContext): Actor {
  if (!actor) throw new AppError("unauthenticated", "the call names no actor");
  if (actor.role < ROLE.admin) throw new AppError("permission_denied", `role ${actor.role} is below ${ROLE.admin}`);
  return actor;
}

/** Lets in services on nobody's behalf only: what they get is not for people. Throws permission_denied. */
export function requireService({ actor }: CallContext): void {
  if (actor) throw new AppError("permission_denied", "this is for services, not for people");
}
