import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

/** Auth asks us in turn, and gives that two seconds. */
const TIMEOUT_MS = 3_000;

/** Has auth open an account that it owes a user. Throws `unavailable` when it does not answer soon. */
export function createPendingAccounts(auth: Pick<GrpcClient<AuthServiceServer>, "openAccount">) {
  return async function openPendingAccount(userId: number): Promise<void> {
    await auth.openAccount({ userId }, { timeoutMs: TIMEOUT_MS });
  };
}
