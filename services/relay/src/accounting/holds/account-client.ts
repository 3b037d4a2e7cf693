import { RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import { EXTEND, SETTLE } from "@turnpike/shared/accounts/call-scripts";
import { HOLD } from "@turnpike/shared/accounts/hold-script";
import { type ProgressReport, ProgressReports } from "./meters/progress-reports.ts";
import { createRunningHolds } from "./hold-audit.ts";
import { HEARTBEAT } from "@turnpike/shared/accounts/relay-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";
import { scriptSeconds } from "../../core/telemetry/relay-metrics.ts";
import type { Balance, HoldResponse, HoldRequest, Settlement } from "./account-requests.ts";
import { createHoldReleases, type Held, type HoldReleases } from "./hold-releases.ts";
import { holdArguments, type Limit, settleArguments } from "./limits/limit-arguments.ts";
import { OutcomeLimits } from "./limits/outcome-limits.ts";
import { RedisClock, UNKNOWN_TIME } from "./redis-clock.ts";
import { dropArguments, getGroupId, getKeys, getRemaining, toHoldResponse, toSettled } from "./script-arguments.ts";
import type { Extension, LostHold, Waiting } from "./account-requests.ts";

type Deps = {
  readonly redis: Redis;
  readonly relayId: string;
  /** Reports a call that cost nothing, since billing may post it. */
  readonly reportLost: (hold: LostHold) => void;
};
/** The end of this event-loop tick, when its batch is sent. */
type Turn = { readonly sent: Promise<void>; readonly resolve: () => void };

/** How long settlements that are in the write-ahead log may wait to be batched. */
const APPENDED_WAIT_MS = 5;
/** Maximum calls per script; Lua's unpack is limited to some thousand values. */
const CALLS_MAX = 500;
const NO_LIMITS: readonly Limit[] = [];
/** The extend script's reply for a balance that is not loaded. */
const NOT_LOADED = -1;
const holdSeconds = scriptSeconds.of("hold");
const settleSeconds = scriptSeconds.of("settle");

/**
 * The relay's side of the account protocol. Holds and settlements of one event-loop tick are batched, one script per
 * user and token, in one write: at high load this is most of their cost. Fails fast while Redis is down.
 */
export class AccountClient {
  readonly relayId: string;
  readonly #redis: Redis;
  readonly #reportLost: Deps["reportLost"];
  readonly #clock = new RedisClock();
  readonly #progress: ProgressReports;
  /** The calls that hold, for the audit of lost holds. */
  readonly running = createRunningHolds();
  #relayCount = 1;
  readonly #runHold: Script;
  readonly #runSettle: Script;
  readonly #runExtend: Script;
  readonly #runHeartbeat: Script;
  readonly #outcomes: OutcomeLimits;
  readonly #releases: HoldReleases;
  /** The batches of this tick, by `getGroupId`. */
  #holds = new Map<string, Waiting[]>();
  #settlements = new Map<string, Settlement[]>();
  #turn: Turn | undefined;
  #later: NodeJS.Timeout | undefined;
  /** Settle scripts that Redis has not responded to. */
  #underWay = 0;

  constructor({ redis, relayId, reportLost }: Deps) {
    this.#redis = redis;
    this.relayId = relayId;
    this.#reportLost = reportLost;
    this.#runHold = defineScript(redis, HOLD);
    this.#runSettle = defineScript(redis, SETTLE);
    this.#runExtend = defineScript(redis, EXTEND);
    this.#progress = new ProgressReports(redis);
    this.#runHeartbeat = defineScript(redis, HEARTBEAT);
    this.#outcomes = new OutcomeLimits(redis);
    this.#releases = createHoldReleases((held) => this.#drop(held));
  }

  /** Requests a hold. Rejects if Redis does not respond. */
  hold(request: HoldRequest): Promise<HoldResponse> {
    this.running.began(request.userId, request.requestId);
    return new Promise((resolve, reject) => {
      this.#thisTurn();
      this.#add(this.#holds, getGroupId(request), { request, resolve, reject });
    });
  }

  /**
   * Replaces the hold by the real cost. Resolves before Redis has responded, once the settlement was written to the
   * connection: data sent to the caller afterwards cannot arrive without it, even if this process dies. A settlement
   * that is in the write-ahead log need not be awaited.
   */
  settle(settlement: Settlement, isAppended = false): Promise<void> | undefined {
    this.running.ended(settlement.userId, settlement.requestId);
    this.#progress.remove(settlement.userId, settlement.requestId);
    const request = settlement.limits.length === 0 ? settlement : this.#outcomes.leave(settlement);
    const sent = isAppended ? void (this.#later ??= setTimeout(this.flush, APPENDED_WAIT_MS)) : this.#thisTurn().sent;
    const own = getGroupId(request);
    const group = request.limits.length === 0 ? own : `${own} ${request.usedTokens} ${request.guessSecond ?? 0}`;
    this.#add(this.#settlements, group, request);
    return sent;
  }

  /** Drops a hold that may exist in Redis without an acknowledgement; retried until Redis acknowledges the release. */
  releaseHold(held: Held): void {
    this.running.ended(held.userId, held.requestId);
    this.#releases.add(held);
  }

  /** Stores the progress of a running call for the janitor; sent with others, within the report's wait. */
  reportProgress({ userId, requestId }: LostHold, report: ProgressReport): void {
    this.#progress.add(userId, requestId, report);
  }

  /** How many relays were alive at the last heartbeat, this one included. */
  relayCount(): number {
    return this.#relayCount;
  }

  /**
   * Raises a running call's hold to `amount`, or makes it again where Redis has lost it; false if a balance does not
   * cover it, undefined if the balance is not loaded.
   */
  async extend({ requestId, userId, tokenId, amount, heldAmount, json }: Extension): Promise<boolean | undefined> {
    const args = [...getKeys(userId, tokenId, NO_LIMITS), requestId, amount, tokenId, this.relayId, json];
    const reply = await this.#runExtend(...args, this.#clock.now(), heldAmount);
    return reply === NOT_LOADED ? undefined : reply === 1;
  }

  /** The time of Redis in unix ms, by which all services measure windows; this machine's while it is unknown. */
  readonly getTimeMs = (): number => this.#clock.now() || Date.now();

  /** Sends this tick's batch now instead of at the end of the tick. Bound, since timers call it. */
  readonly flush = (): void => {
    const [holding, settling, ended] = [this.#holds, this.#settlements, this.#turn];
    this.#holds = new Map();
    this.#settlements = new Map();
    this.#turn = undefined;
    clearTimeout(this.#later);
    this.#later = undefined;
    // Undefined until the first connection is established; commands then fail by themselves.
    const stream = this.#redis.stream as Redis["stream"] | undefined;
    stream?.cork();
    for (const waiting of holding.values()) this.#sendHolds(waiting);
    for (const settled of settling.values()) this.#sendSettlements(settled);
    stream?.uncork();
    ended?.resolve();
  };

  /** True while no settlement is waiting for Redis. */
  isIdle(): boolean {
    return this.#underWay === 0 && this.#settlements.size === 0 && this.#releases.isEmpty();
  }

  /** Reports that this process is alive; billing's janitor posts the holds of relays that stopped reporting. */
  async heartbeat(): Promise<void> {
    const sentAtMs = performance.now();
    const [nowMs, relays] = (await this.#runHeartbeat(1, RELAYS_KEY, this.relayId)) as [number, number];
    this.#clock.learn(nowMs, sentAtMs);
    this.#relayCount = Math.max(1, relays);
  }

  async retire(): Promise<void> {
    this.#outcomes.stop();
    await this.#redis.zrem(RELAYS_KEY, this.relayId);
  }

  #thisTurn(): Turn {
    if (this.#turn) return this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = { sent: promise, resolve };
    setImmediate(this.flush);
    return this.#turn;
  }

  #add<Item>(groups: Map<string, Item[]>, id: string, item: Item): void {
    const group = groups.get(id);
    if (!group) groups.set(id, [item]);
    else if (group.push(item) >= CALLS_MAX) this.flush();
  }

  async #drop(held: Held): Promise<void> {
    const { lost } = toSettled(await this.#runSettle(...dropArguments(held, this.relayId)));
    this.#outcomes.drop(held.requestId);
    if (lost.length > 0) this.#reportLost(held);
  }

  #sendHolds(waiting: readonly Waiting[], sentAtRedisMs = this.#clock.now()): void {
    const [first] = waiting;
    if (!first) return;
    const { userId, tokenId, limits } = first.request;
    const args: (string | number)[] = [...getKeys(userId, tokenId, limits), tokenId, this.relayId, sentAtRedisMs];
    if (limits.length > 0) args.push(...holdArguments(limits));
    for (const { request } of waiting) args.push(request.requestId, request.amount, request.least, request.json());
    const sentAt = performance.now();
    const settle = (reply: unknown): void => {
      holdSeconds.observe((performance.now() - sentAt) / 1000);
      const values = reply as unknown[];
      const nowMs = Number(values.at(-1));
      if (values[0] === "late") {
        // The response came in time, so it is the clock that differs.
        this.#clock.correct(nowMs, sentAt);
        return this.#sendHolds(waiting, UNKNOWN_TIME);
      }
      if (values.length > 1) this.#clock.learn(nowMs, sentAt);
      waiting.forEach(({ request, resolve }, index) => {
        const response = toHoldResponse(request, values, index);
        if (limits.length === 0 || response.outcome !== "held") return resolve(response);
        this.#outcomes.enter(request, nowMs);
        resolve({ ...response, remaining: getRemaining(values, limits.length) });
      });
    };
    this.#runHold(...args).then(settle, (error: unknown) => waiting.forEach(({ reject }) => reject(error)));
  }

  #sendSettlements(settled: readonly Settlement[], sentAtRedisMs = this.#clock.now()): void {
    const [first] = settled;
    if (!first) return;
    const { userId, tokenId, limits } = first;
    const args: (string | number)[] = [...getKeys(userId, tokenId, limits), tokenId, this.relayId, sentAtRedisMs];
    if (limits.length > 0) args.push(...settleArguments(limits, first.usedTokens, first.guessSecond));
    for (const { requestId, amount, json, keep } of settled) args.push(requestId, amount, json, keep ? 1 : 0);
    this.#underWay++;
    const sentAt = performance.now();
    const end = (result: Balance | Error): void => {
      this.#underWay--;
      settleSeconds.observe((performance.now() - sentAt) / 1000);
      for (const settlement of settled) {
        if (result instanceof Error && !settlement.keep) this.#releases.add(settlement);
        settlement.done(result);
      }
    };
    this.#runSettle(...args).then((reply) => {
      const { balance, nowMs, isUnmade, lost } = toSettled(reply);
      for (const requestId of lost) this.#reportLost({ requestId, userId });
      if (!isUnmade) return end(balance);
      // The response came in time, so it is the clock that differs. The limits know the outcome already.
      this.#clock.correct(nowMs, sentAt);
      this.#underWay--;
      const again = settled.map((settlement) => ({ ...settlement, limits: NO_LIMITS }));
      return this.#sendSettlements(again, UNKNOWN_TIME);
    }, end);
  }
}
