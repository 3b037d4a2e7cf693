import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

/** Auth calls back into billing, and allows two seconds for that. */
const TIMEOUT_MS = 3_000;

/** Requests auth to open an account that it owes a user. Throws `unavailable` when it does not respond in time. */
export function createPendingAccounts(auth: Pick<GrpcClient<AuthServiceServer>, "openAccount">) {
  return async function openPendingAccount(userId: number): Promise<void> {
    await auth.openAccount({ userId }, { timeoutMs: TIMEOUT_MS });
  };
}
