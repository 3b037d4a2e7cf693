import type { GetPrincipalResponse } from "@turnpike/proto/auth/v1/auth_service";
import type { Token } from "@turnpike/proto/billing/v1/token_service";

/** A token with the values that every call reads from it, computed once. */
export type KnownToken = {
  readonly token: Token;
  readonly allowsModel: (model: string) => boolean;
  readonly allowsAddress: (address: string) => boolean;
};
export type Principal = GetPrincipalResponse;
export type Caller = { readonly known: KnownToken; readonly principal: Principal };

export type Admitted = { readonly caller: Caller; readonly pinnedChannelId: number | undefined };

/** The group used for a caller's calls: the token's group, or the user's own group if the token has none. */
export const getGroup = ({ caller: { known, principal } }: Admitted): string =>
  known.token.group === "" ? principal.group : known.token.group;
