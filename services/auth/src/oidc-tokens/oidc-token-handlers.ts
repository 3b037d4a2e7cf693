import type { OidcTokenServiceServer } from "@turnpike/proto/auth/v1/oidc_token_service";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { OidcTokens } from "./oidc-tokens.ts";

/** The RPC by which the relay verifies tokens of trusted issuers. */
export const oidcTokenHandlers = (tokens: OidcTokens): Handlers<OidcTokenServiceServer> => ({
  async verifyOidcToken({ token }, context) {
    requireService(context);
    return tokens.verify(token);
  },
});
