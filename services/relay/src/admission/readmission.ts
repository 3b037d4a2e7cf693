import { AppError } from "@turnpike/shared/errors/app-error";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import type { Admitted, Principal } from "../core/call/caller.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { checkCaller } from "./admission.ts";
import { toKnownToken } from "./caller-lookups.ts";

type Deps = {
  readonly getToken: (userId: number, tokenId: number) => Promise<Token>;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly now: () => number;
};

/** A caller who was admitted earlier, without the key. */
export type Returning = {
  readonly userId: number;
  readonly tokenId: number;
  readonly address: string;
  readonly pinnedChannelId?: number | undefined;
};
export type Readmit = (returning: Returning) => Promise<Admitted>;

/**
 * Admits a caller again by token and user as they are now, for calls that are run again. Throws the RelayError with the reason: the
 * token was deleted, is disabled, exhausted or expired, its owner banned. Rejects with another error if the control plane does not respond.
 */
export const createReadmission =
  ({ getToken, getPrincipal, now }: Deps): Readmit =>
  async ({ userId, tokenId, address, pinnedChannelId }) => {
    try {
      const [token, principal] = await Promise.all([getToken(userId, tokenId), getPrincipal(userId)]);
      const pinned = pinnedChannelId === undefined ? undefined : String(pinnedChannelId);
      return checkCaller({ known: toKnownToken(token), principal }, { address, pinned, nowMs: now() });
    } catch (error) {
      if (error instanceof AppError && (error.code === "token_not_found" || error.code === "user_not_found"))
        throw new RelayError("invalid_api_key", "the API key of the response was deleted", { cause: error });
      throw error;
    }
  };
