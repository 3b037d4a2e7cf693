import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { mongo } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { TokenDoc } from "../store/account-documents.ts";

export type TokenStatusUpdater = ReturnType<typeof createTokenStatusUpdater>;

export const isExpired = (token: Pick<TokenDoc, "expiresAt">, nowSeconds: number): boolean =>
  token.expiresAt > 0 && token.expiresAt <= nowSeconds;
export const isExhausted = (token: Pick<TokenDoc, "unlimited" | "budget" | "spent">): boolean =>
  !token.unlimited && token.spent >= token.budget;

/** A token's effective status: one that has not been used since it ended is still stored as enabled. */
export function getEffectiveStatus(token: TokenDoc, nowSeconds: number): number {
  if (token.status !== TOKEN_STATUS.enabled) return token.status;
  if (isExpired(token, nowSeconds)) return TOKEN_STATUS.expired;
  return isExhausted(token) ? TOKEN_STATUS.exhausted : TOKEN_STATUS.enabled;
}

/** Sets enabled tokens to "expired" or "exhausted" when they are, and notifies the relays. */
export function createTokenStatusUpdater(deps: { collections: Collections; bus: Bus; nowSeconds: () => number }) {
  const { bus, nowSeconds } = deps;
  const { tokens } = deps.collections;

  const move = async (status: number, which: mongo.Filter<TokenDoc>): Promise<void> => {
    const due = await tokens
      .find(which, { projection: { userId: 1, keyHash: 1 }, maxTimeMS: QUERY_TIMEOUT_MS })
      .toArray();
    for (const { _id, userId, keyHash } of due) {
      const { modifiedCount } = await tokens.updateOne({ ...which, _id }, { $set: { status } });
      if (modifiedCount > 0) bus.notify(tokenChanged, { tokenId: _id, userId, keyHash });
    }
  };
  return {
    /** Checks these tokens and updates those that are due. */
    async settle(tokenIds: readonly number[]): Promise<void> {
      if (tokenIds.length === 0) return;
      const enabled = { _id: { $in: [...tokenIds] }, status: TOKEN_STATUS.enabled, deletedAt: 0 };
      await move(TOKEN_STATUS.expired, { ...enabled, expiresAt: { $gt: 0, $lte: nowSeconds() } });
      await move(TOKEN_STATUS.exhausted, {
        ...enabled,
        unlimited: false,
        $expr: { $gte: ["$spent", "$budget"] },
      });
    },
  };
}
