import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { SecretOptionServiceServer } from "@turnpike/proto/auth/v1/secret_option_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

const TIMEOUT_MS = 3_000;

/** Decrypted secret options, as they are now; "" for those not set. Throws `unavailable` when auth does not respond. */
export type SecretOptions = (keys: readonly OptionKey[]) => Promise<Readonly<Record<string, string>>>;

/** Calls auth at each use: secrets are used seldom, and a change takes effect at once. */
export const createSecretOptions =
  (auth: Pick<GrpcClient<SecretOptionServiceServer>, "getSecretOptions">): SecretOptions =>
  async (keys) =>
    (await auth.getSecretOptions({ keys: [...keys] }, { timeoutMs: TIMEOUT_MS })).values;
