import { accountKey, limitKey, openKey, RELAYS_KEY, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { EXTEND, HOLD, SETTLE, SETTLE_BATCH } from "@turnpike/shared/accounts/account-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";

/** A request limit: at most `max` in the last `periodMs`. Totals are recorded when a call starts, successes when it succeeded. */
export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly periodMs: number;
  readonly counts: "starts" | "successes";
};

export type HoldRequest = {
  readonly requestId: string;
  readonly userId: number;
  /** 0 for a token without a budget. */
  readonly tokenId: number;
  readonly amount: number;
  /** Held instead where the balance does not cover `amount`. */
  readonly least: number;
  readonly limits: readonly Limit[];
  /** What a janitor needs to book the call if this relay dies. */
  readonly json: string;
};

export type HoldAnswer =
  | { readonly outcome: "held"; readonly available: number; readonly amount: number }
  | { readonly outcome: "not_loaded" }
  | { readonly outcome: "limited"; readonly limit: Limit; readonly waitMs: number }
  | { readonly outcome: "user_quota" | "token_quota"; readonly available: number };

export type SettleRequest = Omit<HoldRequest, "least"> & { readonly keep: boolean };

type Batch = {
  readonly userId: number;
  readonly tokenId: number;
  readonly calls: SettleRequest[];
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const SETTLE_WAIT_MS = 10;
const SETTLE_CALLS_MAX = 100;

type Scripts = Record<
  "turnpikeHold" | "turnpikeSettle" | "turnpikeSettleBatch" | "turnpikeExtend",
  (...args: (string | number)[]) => Promise<unknown>
>;

export type AccountClient = ReturnType<typeof createAccountClient>;

/** The relay's side of the account protocol: one script call to hold, one to settle. Fails fast when Redis is away. */
export function createAccountClient(redis: Redis, relayId: string, now: () => number) {
  redis.defineCommand("turnpikeHold", { lua: HOLD });
  redis.defineCommand("turnpikeSettle", { lua: SETTLE });
  redis.defineCommand("turnpikeSettleBatch", { lua: SETTLE_BATCH });
  redis.defineCommand("turnpikeExtend", { lua: EXTEND });
  const scripts = redis as unknown as Scripts;

  const keysOf = (userId: number, tokenId: number): [string, string, string] => [
    accountKey(userId),
    openKey(userId),
    tokenKey(userId, tokenId),
  ];
  const settleAlone = async (request: SettleRequest, successes: readonly Limit[]): Promise<void> => {
    await scripts.turnpikeSettle(
      3 + successes.length,
      ...keysOf(request.userId, request.tokenId),
      ...successes.map((limit) => limitKey(request.userId, limit.name)),
      request.requestId,
      request.amount,
      request.tokenId,
      relayId,
      request.json,
      request.keep ? 1 : 0,
      now(),
      ...successes.flatMap((limit) => [limit.max, limit.periodMs]),
    );
  };
  // The caller has its answer already: settling a few milliseconds later, together, saves most of the work.
  const batches = new Map<string, Batch>();
  const flush = (id: string, batch: Batch): void => {
    batches.delete(id);
    const { userId, tokenId } = batch;
    const calls = batch.calls.flatMap((call) => [call.requestId, call.amount, call.json, call.keep ? 1 : 0]);
    scripts
      .turnpikeSettleBatch(3, ...keysOf(userId, tokenId), tokenId, relayId, ...calls)
      .then(() => batch.resolve(), batch.reject);
  };
  const settleTogether = (request: SettleRequest): Promise<void> => {
    const id = `${request.userId}:${request.tokenId}`;
    let batch = batches.get(id);
    if (!batch) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const opened: Batch = { userId: request.userId, tokenId: request.tokenId, calls: [], promise, resolve, reject };
      batch = opened;
      batches.set(id, opened);
      setTimeout(() => {
        if (batches.get(id) === opened) flush(id, opened);
      }, SETTLE_WAIT_MS);
    }
    batch.calls.push(request);
    if (batch.calls.length >= SETTLE_CALLS_MAX) flush(id, batch);
    return batch.promise;
  };

  return {
    relayId,
    async hold(request: HoldRequest): Promise<HoldAnswer> {
      const { limits, userId, tokenId } = request;
      const answer = (await scripts.turnpikeHold(
        3 + limits.length,
        ...keysOf(userId, tokenId),
        ...limits.map((limit) => limitKey(userId, limit.name)),
        request.requestId,
        request.amount,
        tokenId,
        relayId,
        request.json,
        now(),
        request.least,
        ...limits.flatMap((limit) => [limit.max, limit.periodMs, limit.counts === "starts" ? 1 : 0]),
      )) as [string, number, number];
      const [outcome, first, second] = answer;
      if (outcome === "ok") return { outcome: "held", available: first, amount: second };
      if (outcome === "user_quota" || outcome === "token_quota") return { outcome, available: first };
      const limit = limits[first];
      if (outcome === "limited" && limit) return { outcome, limit, waitMs: second };
      return { outcome: "not_loaded" };
    },
    /** Puts the real cost in place of the hold; `keep` false drops it, for calls that leave no record. */
    settle(request: SettleRequest): Promise<void> {
      const successes = request.limits.filter((limit) => limit.counts === "successes");
      return successes.length === 0 ? settleTogether(request) : settleAlone(request, successes);
    },
    /** Raises a running call's hold to `amount`; false when a balance does not cover it. */
    async extend(request: { requestId: string; userId: number; tokenId: number; amount: number }): Promise<boolean> {
      const answer = await scripts.turnpikeExtend(
        3,
        ...keysOf(request.userId, request.tokenId),
        request.requestId,
        request.amount,
      );
      return answer === 1;
    },
    /** Says that this process lives; billing's janitor books the holds of relays that stopped saying so. */
    async heartbeat(): Promise<void> {
      await redis.zadd(RELAYS_KEY, now(), relayId);
    },
    async retire(): Promise<void> {
      await redis.zrem(RELAYS_KEY, relayId);
    },
  };
}
