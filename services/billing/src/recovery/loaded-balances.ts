import { openKey } from "@turnpike/shared/accounts/account-keys";
import { REBUILD_HELD } from "@turnpike/shared/accounts/balance-scripts";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { defineScript } from "@turnpike/shared/redis/script";
import type { BalanceCache, BalanceChange } from "../accounts/balance-cache.ts";

/** `acct:{user}` or `tok:{user}:<token>`, after the prefix. */
const BALANCE_KEY = /^(?:acct|tok):\{(\d+)\}(?::(\d+))?$/;

type LoadedKey = { readonly key: string; readonly userId: number; readonly tokenId: number | undefined };
type Deps = { readonly redis: Redis; readonly balanceCache: Pick<BalanceCache, "post">; readonly log: Logger };

function toLoadedKey(key: string): LoadedKey[] {
  const [, userId, tokenId] = BALANCE_KEY.exec(key) ?? [];
  if (userId === undefined) return [];
  return [{ key, userId: Number(userId), tokenId: tokenId === undefined ? undefined : Number(tokenId) }];
}

/** The accounts of some keys, with the tokens among them. */
function toChanges(keys: readonly LoadedKey[]): Map<number, BalanceChange> {
  const tokenIds = new Map<number, Set<number>>();
  for (const { userId, tokenId } of keys) {
    const ids = tokenIds.get(userId) ?? new Set();
    if (tokenId !== undefined) ids.add(tokenId);
    tokenIds.set(userId, ids);
  }
  return new Map([...tokenIds].map(([userId, ids]) => [userId, { tokenIds: ids, requestIds: [] }]));
}

/**
 * Corrects every loaded account and token: takes MongoDB's figures, which a Redis that lost its newest second does not
 * have, and sums the holds from their open entries again, since a difference reserves an amount that no call uses, or
 * lets calls overdraw the balance. Throws `unavailable` while Redis is down.
 */
export function createLoadedBalanceRepair({ redis, balanceCache, log }: Deps) {
  const runRebuild = defineScript(redis, REBUILD_HELD);

  const rebuildHeld = async ({ key, userId, tokenId }: LoadedKey): Promise<void> => {
    const difference = await runRebuild(2, key, openKey(userId), tokenId ?? "");
    if (difference !== 0) log.error({ userId, tokenId, difference }, "sum of holds was wrong, rebuilt");
  };
  return async function repairLoadedBalances(): Promise<void> {
    for (const pattern of ["acct:*", "tok:*"])
      await withRedisErrors(async () => {
        for await (const keys of scanKeys(redis, pattern)) {
          const loaded = keys.flatMap(toLoadedKey);
          await balanceCache.post(toChanges(loaded));
          await Promise.all(loaded.map(rebuildHeld));
        }
      });
  };
}
