import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

const TIMEOUT_MS = 1_000;

/** Users' names for log rows, by auth; "" when it cannot say soon: a row without a name is better than none. */
export function createUserNames(auth: Pick<GrpcClient<AuthServiceServer>, "getUser">) {
  return async function usernameOf(userId: number): Promise<string> {
    try {
      return (await auth.getUser({ id: userId }, { timeoutMs: TIMEOUT_MS })).user?.username ?? "";
    } catch {
      return "";
    }
  };
}
