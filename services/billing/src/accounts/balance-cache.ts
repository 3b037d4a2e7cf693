import { accountKey, openKey, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { POST_USAGE, LOAD } from "@turnpike/shared/accounts/account-scripts";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { Collections } from "../store/collections.ts";
import type { AccountDoc, TokenDoc } from "../store/documents.ts";

/** The changes of a user to write to Redis: the figures of these tokens, and that these calls are posted. */
export type BalanceChange = { readonly tokenIds: ReadonlySet<number>; readonly requestIds: readonly string[] };

export type BalanceCache = ReturnType<typeof createBalanceCache>;

type Figures = Pick<AccountDoc, "credits" | "rev" | "spent">;
type TokenFigures = Pick<TokenDoc, "_id" | "userId" | "budget" | "rev" | "spent">;

const READ_TIMEOUT_MS = 5_000;
const SCRIPTS_AT_ONCE_MAX = 100;
const NO_ACCOUNT: Figures = { credits: 0, rev: 0, spent: 0 };

/** A key whose value does not follow the protocol; retrying would not help. */
const isBrokenKey = (error: unknown): boolean =>
  error instanceof Error && /^WRONGTYPE|WRONGTYPE Operation/.test(error.message);

/**
 * Billing's side of the account protocol: writes balances and budgets from MongoDB to Redis, always with figures read
 * after the commit they describe. Throws `unavailable` while Redis is down; every step may be repeated.
 */
export function createBalanceCache(deps: { redis: Redis; collections: Collections; log: Logger }) {
  const { redis, log } = deps;
  const { accounts, tokens } = deps.collections;
  const runPostUsage = defineScript(redis, POST_USAGE);
  const runLoad = defineScript(redis, LOAD);

  const readAccounts = async (userIds: readonly number[]): Promise<Map<number, Figures>> => {
    const docs = await accounts
      .find(
        { _id: { $in: [...userIds] } },
        { projection: { credits: 1, rev: 1, spent: 1 }, maxTimeMS: READ_TIMEOUT_MS },
      )
      .toArray();
    return new Map(docs.map((doc) => [doc._id, doc]));
  };
  const readTokens = async (ids: readonly number[]): Promise<Map<number, TokenFigures>> => {
    if (ids.length === 0) return new Map();
    const docs = await tokens
      .find(
        { _id: { $in: [...ids] } },
        { projection: { userId: 1, budget: 1, rev: 1, spent: 1 }, maxTimeMS: READ_TIMEOUT_MS },
      )
      .toArray();
    return new Map(docs.map((doc) => [doc._id, doc]));
  };
  const postOne = async (
    userId: number,
    account: Figures,
    ofTokens: readonly TokenFigures[],
    requestIds: readonly string[],
  ): Promise<void> => {
    try {
      await withRedisErrors(() =>
        runPostUsage(
          2,
          accountKey(userId),
          openKey(userId),
          account.credits,
          account.rev,
          account.spent,
          ofTokens.length,
          ...ofTokens.flatMap(({ _id, budget, rev, spent }) => [_id, budget, rev, spent]),
          ...requestIds,
        ),
      );
    } catch (error) {
      if (!(error instanceof Error && isBrokenKey(error.cause))) throw error;
      log.error({ err: error, userId }, "account keys in Redis are malformed");
    }
  };

  /** Drops the entries of posted calls and raises balances and budgets that are loaded. */
  const post = async (changes: ReadonlyMap<number, BalanceChange>): Promise<void> => {
    const tokenIds = [...changes.values()].flatMap((change) => [...change.tokenIds]);
    const [accountById, tokenById] = await Promise.all([readAccounts([...changes.keys()]), readTokens(tokenIds)]);
    const postChange = ([userId, change]: readonly [number, BalanceChange]): Promise<void> => {
      const ofTokens = [...change.tokenIds].flatMap((id) => {
        const token = tokenById.get(id);
        return token && token.userId === userId ? [token] : [];
      });
      return postOne(userId, accountById.get(userId) ?? NO_ACCOUNT, ofTokens, change.requestIds);
    };
    const all = [...changes];
    // In batches, so that no batch takes longer than a command's timeout.
    for (let start = 0; start < all.length; start += SCRIPTS_AT_ONCE_MAX)
      await Promise.all(all.slice(start, start + SCRIPTS_AT_ONCE_MAX).map(postChange));
  };
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
      const [accountById, tokenById] = await Promise.all([
        readAccounts([userId]),
        readTokens(tokenId === 0 ? [] : [tokenId]),
      ]);
      const account = accountById.get(userId);
      if (!account) return "no_account";
      const token = tokenById.get(tokenId);
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
          tokenId,
          token?.budget ?? 0,
          token?.rev ?? 0,
          token?.spent ?? 0,
        ),
      );
      // A posting between the read and the load found nothing to raise: apply what it committed.
      await sync(userId, tokenId === 0 ? [] : [tokenId]);
      return "loaded";
    },
  };
}
