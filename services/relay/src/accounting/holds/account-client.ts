import { accountKey, limitKey, openKey, RELAYS_KEY, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { EXTEND, HOLD, SETTLE } from "@turnpike/shared/accounts/account-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import { scriptSeconds } from "../../core/telemetry/relay-metrics.ts";
import { createHoldReleases, type Held } from "./hold-releases.ts";
import {
  toGroupText,
  holdArguments,
  type Limit,
  settleArguments,
  getRepeatableLimits,
  getOutcomeLimits,
} from "./limit-arguments.ts";
import { createRunningSlots } from "./concurrency-slots.ts";

export type HoldRequest = {
  readonly requestId: string;
  readonly userId: number;
  /** 0 for a token without a budget. */
  readonly tokenId: number;
  readonly amount: number;
  /** The amount held if the balance does not cover `amount`. */
  readonly least: number;
  readonly limits: readonly Limit[];
  /**
   * What the janitor needs to post the call if this relay dies; serialized when it is sent, which may never happen for
   * a deferred hold.
   */
  readonly json: () => string;
};

/** The amount still available; `tokenAvailable` is that of the token's budget, undefined for a token without one. */
export type Balance = { readonly available: number; readonly tokenAvailable: number | undefined };

export type HoldAnswer =
  | ({ readonly outcome: "held"; readonly amount: number } & Balance)
  | { readonly outcome: "not_loaded" }
  | { readonly outcome: "limited"; readonly limit: Limit; readonly waitMs: number }
  | { readonly outcome: "user_quota" | "token_quota"; readonly available: number };

export type Settlement = {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly amount: number;
  /** The limits of the hold. */
  readonly limits: readonly Limit[];
  readonly hasSucceeded: boolean;
  /** For limits on tokens. */
  readonly usedTokens: number;
  readonly json: string;
  /** False drops the hold: the call leaves no record. */
  readonly keep: boolean;
  /**
   * Called with the new balance once Redis acknowledged the settlement, or with an error if Redis refused or lost it.
   */
  readonly done: (result: Balance | Error) => void;
};

type Waiting = {
  readonly request: HoldRequest;
  readonly resolve: (answer: HoldAnswer) => void;
  readonly reject: (error: unknown) => void;
};

/** How long settlements that are in the write-ahead log may wait to be batched. */
const NOTED_WAIT_MS = 5;
/** Maximum calls per script; Lua's unpack is limited to some thousand values. */
const CALLS_MAX = 500;
const NO_LIMITS: readonly Limit[] = [];
const holdSeconds = scriptSeconds.of("hold");
const settleSeconds = scriptSeconds.of("settle");

export type AccountClient = ReturnType<typeof createAccountClient>;

/** Calls that may share one script: same user, token and limits. */
function getGroupId({
  userId,
  tokenId,
  limits,
}: {
  userId: number;
  tokenId: number;
  limits: readonly Limit[];
}): string {
  const own = `${userId}:${tokenId}`;
  return limits.length === 0 ? own : `${own}:${toGroupText(limits)}`;
}

const VALUES = 4;
type Values = readonly [outcome: unknown, first: number, second: number, third: number];

function toAnswer(request: HoldRequest, [outcome, first, second, third]: Values): HoldAnswer {
  if (outcome === "ok")
    return { outcome: "held", available: first, amount: second, tokenAvailable: third < 0 ? undefined : third };
  if (outcome === "user_quota" || outcome === "token_quota") return { outcome, available: first };
  const limit = request.limits[first];
  return outcome === "limited" && limit ? { outcome, limit, waitMs: second } : { outcome: "not_loaded" };
}

/** The keys of a script, after their number. */
const getKeys = (userId: number, tokenId: number, limits: readonly Limit[]): (string | number)[] => [
  3 + limits.length,
  accountKey(userId),
  openKey(userId),
  tokenKey(userId, tokenId),
  ...limits.map((limit) => limitKey(userId, limit.name)),
];

/** The settle script's arguments that drop a hold. */
function dropArguments({ requestId, userId, tokenId, limits }: Held, relayId: string, nowMs: number) {
  const told = getRepeatableLimits(limits);
  const args = [...getKeys(userId, tokenId, told), tokenId, relayId, nowMs, ...settleArguments(told, 0)];
  return [...args, requestId, 0, "", 0];
}

/**
 * The relay's side of the account protocol. Holds and settlements of one event-loop tick are batched, one script per
 * user and token, in one write: at high load this is most of their cost. Fails fast while Redis is down.
 */
export function createAccountClient(redis: Redis, relayId: string, now: () => number) {
  const runHold = defineScript(redis, HOLD);
  const runSettle = defineScript(redis, SETTLE);
  const runExtend = defineScript(redis, EXTEND);
  const slots = createRunningSlots({ redis, now });
  const giveBacks = createHoldReleases((held) => runSettle(...dropArguments(held, relayId, now())));
  let holds = new Map<string, Waiting[]>();
  let settlements = new Map<string, Settlement[]>();
  let turn: { readonly sent: Promise<void>; readonly resolve: () => void } | undefined;
  let later: NodeJS.Timeout | undefined;
  let underWay = 0;

  const sendHolds = (waiting: readonly Waiting[]): void => {
    const [first] = waiting;
    if (!first) return;
    const { userId, tokenId, limits } = first.request;
    const args: (string | number)[] = [...getKeys(userId, tokenId, limits), tokenId, relayId, now()];
    if (limits.length > 0) args.push(...holdArguments(limits));
    for (const { request } of waiting) args.push(request.requestId, request.amount, request.least, request.json());
    const sentAt = performance.now();
    const settle = (reply: unknown): void => {
      holdSeconds.observe((performance.now() - sentAt) / 1000);
      const values = reply as unknown[];
      waiting.forEach(({ request, resolve }, index) => {
        const answer = toAnswer(request, values.slice(index * VALUES, (index + 1) * VALUES) as unknown as Values);
        if (limits.length > 0 && answer.outcome === "held") slots.take(request);
        resolve(answer);
      });
    };
    runHold(...args).then(settle, (error: unknown) => waiting.forEach(({ reject }) => reject(error)));
  };
  const sendSettlements = (settled: readonly Settlement[]): void => {
    const [first] = settled;
    if (!first) return;
    const { userId, tokenId, limits } = first;
    const args: (string | number)[] = [...getKeys(userId, tokenId, limits), tokenId, relayId, now()];
    if (limits.length > 0) args.push(...settleArguments(limits, first.usedTokens));
    for (const { requestId, amount, json, keep } of settled) args.push(requestId, amount, json, keep ? 1 : 0);
    underWay++;
    const sentAt = performance.now();
    const end = (result: Balance | Error): void => {
      underWay--;
      settleSeconds.observe((performance.now() - sentAt) / 1000);
      for (const settlement of settled) {
        if (result instanceof Error && !settlement.keep) giveBacks.add(settlement);
        settlement.done(result);
      }
    };
    runSettle(...args).then((reply) => {
      const [available, left] = reply as [number, number];
      end({ available, tokenAvailable: left < 0 ? undefined : left });
    }, end);
  };
  const flush = (): void => {
    const [holding, settling, ended] = [holds, settlements, turn];
    holds = new Map();
    settlements = new Map();
    turn = undefined;
    clearTimeout(later);
    later = undefined;
    // Undefined until the first connection is established; commands then fail by themselves.
    const stream = redis.stream as typeof redis.stream | undefined;
    stream?.cork();
    for (const waiting of holding.values()) sendHolds(waiting);
    for (const settled of settling.values()) sendSettlements(settled);
    stream?.uncork();
    ended?.resolve();
  };
  const thisTurn = (): { readonly sent: Promise<void> } => {
    if (turn) return turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = { sent: promise, resolve };
    setImmediate(flush);
    return turn;
  };
  const add = <Item>(groups: Map<string, Item[]>, id: string, item: Item): void => {
    const group = groups.get(id);
    if (!group) groups.set(id, [item]);
    else if (group.push(item) >= CALLS_MAX) flush();
  };

  return {
    relayId,
    /** Requests a hold. Rejects if Redis does not respond. */
    hold: (request: HoldRequest): Promise<HoldAnswer> =>
      new Promise((resolve, reject) => {
        thisTurn();
        add(holds, getGroupId(request), { request, resolve, reject });
      }),
    /**
     * Replaces the hold by the real cost. Resolves before Redis has responded, once the settlement was written to the
     * connection: data sent to the caller afterwards cannot arrive without it, even if this process dies. A settlement
     * that is in the write-ahead log need not be awaited.
     */
    settle(settlement: Settlement, isNoted = false): Promise<void> | undefined {
      const { limits, hasSucceeded, usedTokens } = settlement;
      const request =
        limits.length === 0 ? settlement : { ...settlement, limits: getOutcomeLimits(limits, hasSucceeded) };
      if (limits.length > 0) slots.leave(settlement);
      const sent = isNoted ? void (later ??= setTimeout(flush, NOTED_WAIT_MS)) : thisTurn().sent;
      const own = getGroupId(request);
      add(settlements, request.limits.length === 0 ? own : `${own} ${usedTokens}`, request);
      return sent;
    },
    /** Drops a hold that may exist in Redis without an acknowledgement; retried until Redis confirms. */
    giveBack: giveBacks.add,
    /**
     * Raises a running call's hold to `amount`; false if a balance does not cover it. `json` replaces the data for the
     * janitor.
     */
    async extend(request: {
      requestId: string;
      userId: number;
      tokenId: number;
      amount: number;
      json?: string;
    }): Promise<boolean> {
      const { requestId, userId, tokenId, amount, json } = request;
      const args = [...getKeys(userId, tokenId, NO_LIMITS), requestId, amount];
      return (await runExtend(...args, ...(json === undefined ? [] : [json]))) === 1;
    },
    /** Sends this tick's batch now instead of at the end of the tick. */
    flush,
    /** True while no settlement is waiting for Redis. */
    isIdle: (): boolean => underWay === 0 && settlements.size === 0 && giveBacks.isEmpty(),
    /** Reports that this process is alive; billing's janitor posts the holds of relays that stopped reporting. */
    async heartbeat(): Promise<void> {
      await redis.zadd(RELAYS_KEY, now(), relayId);
    },
    async retire(): Promise<void> {
      slots.stop();
      await redis.zrem(RELAYS_KEY, relayId);
    },
  };
}
