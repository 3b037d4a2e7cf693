import { AppError } from "@turnpike/shared/errors/app-error";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

/** A user who invited another one. */
export type Inviter = { readonly id: number; readonly username: string };

const TIMEOUT_MS = 1_000;

/**
 * Users' names for log rows, from auth; "" when auth does not respond in time: a row without a name is better than
 * none.
 */
export function createUsernameLookup(auth: Pick<GrpcClient<AuthServiceServer>, "getUser">) {
  return async function getUsername(userId: number): Promise<string> {
    try {
      return (await auth.getUser({ id: userId }, { timeoutMs: TIMEOUT_MS })).user?.username ?? "";
    } catch {
      return "";
    }
  };
}

/**
 * A user's inviter, from auth; undefined for none or a deregistered one. Throws `unavailable` when auth does not
 * respond in time.
 */
export function createInviterLookup(auth: Pick<GrpcClient<AuthServiceServer>, "getUser">) {
  const find = async (id: number) => {
    try {
      return (await auth.getUser({ id }, { timeoutMs: TIMEOUT_MS })).user;
    } catch (error) {
      if (error instanceof AppError && error.code === "user_not_found") return undefined;
      throw error;
    }
  };
  return async function findInviter(userId: number): Promise<Inviter | undefined> {
    const inviterId = (await find(userId))?.inviterId ?? 0;
    const inviter = inviterId > 0 && inviterId !== userId ? await find(inviterId) : undefined;
    return inviter && inviter.deletedAtSeconds === 0 ? { id: inviter.id, username: inviter.username } : undefined;
  };
}
