import { accountKey, openKey, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { LOAD, POST_USAGE } from "@turnpike/shared/accounts/balance-scripts";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { Collections } from "../store/collections.ts";
import { type AccountFigures, createBalanceFigures, type TokenFigures } from "./balance-figures.ts";

/** The changes of a user to write to Redis: the figures of these tokens, and that these calls are posted. */
export type BalanceChange = { readonly tokenIds: ReadonlySet<number>; readonly requestIds: readonly string[] };

export type BalanceCache = ReturnType<typeof createBalanceCache>;

const SCRIPTS_AT_ONCE_MAX = 100;
const NO_ACCOUNT: AccountFigures = { credits: 0, rev: 0, spent: 0 };

/** A key whose value does not follow the protocol; retrying would not help. */
const isBrokenKey = (error: unknown): boolean =>
  error instanceof Error && /^WRONGTYPE|WRONGTYPE Operation/.test(error.message);

type Deps = { readonly redis: Redis; readonly collections: Collections; readonly log: Logger };

/** Drops the entries of posted calls and raises balances and budgets that are loaded. */
function createUsagePost({ redis, collections, log }: Deps) {
  const { readAccounts, readTokens } = createBalanceFigures(collections);
  const runPostUsage = defineScript(redis, POST_USAGE);

  const postOne = async (
    userId: number,
    account: AccountFigures,
    tokens: readonly TokenFigures[],
    requestIds: readonly string[],
  ): Promise<void> => {
    try {
      await withRedisErrors(() =>
        runPostUsage(
          2 + tokens.length,
          accountKey(userId),
          openKey(userId),
          ...tokens.map(({ _id }) => tokenKey(userId, _id)),
          account.credits,
          account.rev,
          account.spent,
          account.lowered ?? 0,
          ...tokens.flatMap(({ _id, budget, rev, spent, lowered = 0 }) => [_id, budget, rev, spent, lowered]),
          ...requestIds,
        ),
      );
    } catch (error) {
      if (!(error instanceof Error && isBrokenKey(error.cause))) throw error;
      log.error({ err: error, userId }, "account keys in Redis malformed");
    }
  };

  return async function post(changes: ReadonlyMap<number, BalanceChange>): Promise<void> {
    const tokenIds = [...changes.values()].flatMap((change) => [...change.tokenIds]);
    const [accountById, tokenById] = await Promise.all([readAccounts([...changes.keys()]), readTokens(tokenIds)]);
    const postChange = ([userId, change]: readonly [number, BalanceChange]): Promise<void> => {
      const tokens = [...change.tokenIds].flatMap((id) => {
        const token = tokenById.get(id);
        return token && token.userId === userId ? [token] : [];
      });
      return postOne(userId, accountById.get(userId) ?? NO_ACCOUNT, tokens, change.requestIds);
    };
    const all = [...changes];
    // In batches, so that no batch takes longer than a command's timeout.
    for (let start = 0; start < all.length; start += SCRIPTS_AT_ONCE_MAX)
      await Promise.all(all.slice(start, start + SCRIPTS_AT_ONCE_MAX).map(postChange));
  };
}

/**
 * Billing's side of the account protocol: writes balances and budgets from MongoDB to Redis, always with figures read
 * after the commit they describe. Throws `unavailable` while Redis is down; every step may be repeated.
 */
export function createBalanceCache(deps: Deps) {
  const { readAccount, readToken } = createBalanceFigures(deps.collections);
  const runLoad = defineScript(deps.redis, LOAD);
  const post = createUsagePost(deps);
  const sync = (userId: number, tokenIds: readonly number[] = []): Promise<void> =>
    post(new Map([[userId, { tokenIds: new Set(tokenIds), requestIds: [] }]]));

  return {
    post,
    /** Raises one user's balance and these budgets where they are loaded. */
    sync,
    /**
     * Loads an account, and a token's budget unless it is 0, into Redis; false when MongoDB has no such account or
     * token.
     */
    async load(userId: number, tokenId: number): Promise<"loaded" | "no_account" | "no_token"> {
      const [account, token] = await Promise.all([readAccount(userId), tokenId === 0 ? null : readToken(tokenId)]);
      if (!account) return "no_account";
      if (tokenId !== 0 && token?.userId !== userId) return "no_token";
      await withRedisErrors(() =>
        runLoad(
          3,
          accountKey(userId),
          openKey(userId),
          tokenKey(userId, tokenId),
          account.credits,
          account.rev,
          account.spent,
          account.lowered ?? 0,
          tokenId,
          token?.budget ?? 0,
          token?.rev ?? 0,
          token?.spent ?? 0,
          token?.lowered ?? 0,
        ),
      );
      // A posting between the read and the load found nothing to raise: apply what it committed.
      await sync(userId, tokenId === 0 ? [] : [tokenId]);
      return "loaded";
    },
  };
}
