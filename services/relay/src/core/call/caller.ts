import type { FallbackCause, ModelAliases, ModelFallbacks } from "@turnpike/contract/options/model-routes";
import type { GetPrincipalResponse } from "@turnpike/proto/auth/v1/auth_service";
import type { Token } from "@turnpike/proto/billing/v1/token_service";

/** Model aliases, fallback models and their causes of one token, which precede the site's. */
export type TokenRoutes = {
  readonly aliases: ModelAliases;
  readonly fallbacks: ModelFallbacks;
  readonly causes: readonly FallbackCause[] | undefined;
};

/** A token with the values that every call reads from it, computed once. */
export type KnownToken = {
  readonly token: Token;
  readonly allowsModel: (model: string) => boolean;
  readonly allowsAddress: (address: string) => boolean;
  /** The token's own model routes; absent for most tokens. */
  readonly routes?: TokenRoutes | undefined;
};
export type Principal = GetPrincipalResponse;
export type Caller = {
  readonly known: KnownToken;
  readonly principal: Principal;
  /** Unix milliseconds until which a token of an issuer is accepted; absent for keys, which the token itself limits. */
  readonly acceptedUntilMs?: number;
};

export type Admitted = { readonly caller: Caller; readonly pinnedChannelId: number | undefined };

/** The group used for a caller's calls: the token's group, or the user's own group if the token has none. */
export const getGroup = ({ caller: { known, principal } }: Admitted): string =>
  known.token.group === "" ? principal.group : known.token.group;
