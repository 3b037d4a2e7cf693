import { accountKey, openKey, RELAYS_KEY, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { SETTLE } from "@turnpike/shared/accounts/call-scripts";
import { HOLD } from "@turnpike/shared/accounts/hold-script";
import type { Redis } from "@turnpike/shared/redis/redis";

/** The relay's side of the account protocol, call by call. */
export function createRelayDouble(redis: Redis, relayId = "relay-1") {
  const keys = (userId: number, tokenId: number) => [accountKey(userId), openKey(userId), tokenKey(userId, tokenId)];
  const numbers = async (key: string): Promise<Record<string, number>> =>
    Object.fromEntries(Object.entries(await redis.hgetall(key)).map(([name, value]) => [name, Number(value)]));
  return {
    hold: (call: { id: string; userId: number; amount: number; tokenId?: number; json?: string }) =>
      redis.eval(
        HOLD,
        3,
        ...keys(call.userId, call.tokenId ?? 0),
        call.tokenId ?? 0,
        relayId,
        Date.now(),
        call.id,
        call.amount,
        call.amount,
        call.json ?? "{}",
      ) as Promise<[string, number, number, number]>,
    settle: (call: { id: string; userId: number; amount: number; tokenId?: number; json?: string }) =>
      redis.eval(
        SETTLE,
        3,
        ...keys(call.userId, call.tokenId ?? 0),
        call.tokenId ?? 0,
        relayId,
        Date.now(),
        call.id,
        call.amount,
        call.json ?? "{}",
        1,
      ),
    release: (call: { id: string; userId: number }) =>
      redis.eval(SETTLE, 3, ...keys(call.userId, 0), 0, relayId, 0, call.id, 0, "", 0) as Promise<unknown[]>,
    beat: (atMs: number) => redis.zadd(RELAYS_KEY, atMs, relayId),
    account: (userId: number) => numbers(accountKey(userId)),
    token: (userId: number, tokenId: number) => numbers(tokenKey(userId, tokenId)),
    open: (userId: number) => redis.hgetall(openKey(userId)),
    isKnown: async (): Promise<boolean> => (await redis.zscore(RELAYS_KEY, relayId)) !== null,
  };
}
