import type { OidcTokenServiceServer } from "@turnpike/proto/auth/v1/oidc_token_service";
import type { TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { ResolvedOidcToken } from "./caller-lookups.ts";

/** Issuers may have to be requested first: auth waits up to 4 seconds for one. */
const VERIFY_TIMEOUT_MS = 5_000;

/** Resolves tokens of issuers: auth verifies them and names the user, billing has the user's token of the mapped name. */
export const createOidcTokenResolution =
  (deps: {
    readonly oidcTokens: Pick<GrpcClient<OidcTokenServiceServer>, "verifyOidcToken">;
    readonly tokens: Pick<GrpcClient<TokenServiceServer>, "findTokens">;
  }) =>
  async (oidcToken: string): Promise<ResolvedOidcToken> => {
    const verified = await deps.oidcTokens.verifyOidcToken({ token: oidcToken }, { timeoutMs: VERIFY_TIMEOUT_MS });
    if (verified.refusal !== "") return { refusal: verified.refusal };
    const { userId, tokenName, acceptedUntilMs } = verified;
    const { tokens } = await deps.tokens.findTokens({ userId, name: tokenName });
    const [token] = tokens;
    if (!token) return { refusal: `its user has no token named "${tokenName}"` };
    return tokens.length === 1
      ? { token, acceptedUntilMs }
      : { refusal: `its user has several tokens named "${tokenName}"` };
  };
