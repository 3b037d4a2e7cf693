import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { priceTablesOf } from "@turnpike/contract/options/options-in-force";
import { findModelPrice, groupRatioOf, type ModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-book";
import { computeQuota, estimateQuota, type TokenUsage } from "@turnpike/contract/pricing/quota";
import type { Logger } from "@turnpike/shared/log/log";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { countHold, settleFailures } from "../../core/telemetry/relay-metrics.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import type { AccountClient, HoldRequest, Settlement } from "./account-client.ts";
import type { HighBalanceCache } from "./high-balance-cache.ts";
import { recoveryJson } from "../usage/call-fields.ts";
import type { WriteAheadLog, Note } from "../usage/write-ahead-log.ts";
import type { DeferredHold, DeferredHolds } from "./deferred-holds.ts";
import { estimateUnitsQuota, computeCallQuota, getCallUsage } from "../usage/call-quota.ts";
import type { UsageEstimator } from "../tokens/usage-estimator.ts";
import { limitsOf } from "./limits.ts";
import type { PlaceHold } from "./hold-placement.ts";
import type { UsagePublisher } from "../usage/usage-publisher.ts";
import { type CallOutcome, consumeRecord } from "../usage/usage-record.ts";

/** The hold and settlement of an admitted call. Exactly one of `charge` and `release` is called. */
export type CallMeter = {
  readonly price: ModelPrice;
  /** The share of the price that a cached response costs, by the prices that the call was admitted with. */
  readonly cachedResponseRatio: number;
  /**
   * Replaces the hold by the real cost and sends the usage record. The end of the response waits for the promise, so
   * that no caller has a complete response whose cost a crash could still change: by then it is in the write-ahead log
   * or was sent to Redis.
   */
  readonly charge: (outcome: CallOutcome) => Promise<void> | void;
  /** Releases the hold: nothing was served. */
  readonly release: () => void;
  /** Called before any part of the response is sent: from then on a crash must not make the call free. */
  readonly secure: () => void;
  /** Reports how many tokens were produced so far; false if the balance no longer covers the call. */
  readonly produced: (completionTokens: number) => boolean | Promise<boolean>;
  /**
   * For long-running calls: reports the usage so far, which the janitor would post if this process died, and keeps as
   * much again as the most expensive part so far on hold; false if the balance does not even cover the first hold
   * again.
   */
  readonly spent: (usage: TokenUsage) => Promise<boolean>;
};

type Deps = {
  readonly accounts: AccountClient;
  readonly options: () => OptionsInForce;
  readonly usageEstimator: UsageEstimator;
  readonly publisher: UsagePublisher;
  readonly placeHold: PlaceHold;
  readonly highBalances: HighBalanceCache;
  readonly deferred: DeferredHolds;
  readonly writeAheadLog: Pick<WriteAheadLog, "note" | "appendBatched" | "confirm">;
  readonly now: () => number;
  readonly log: Logger;
};

type HeldCall = {
  readonly request: HoldRequest;
  /** False in fail-open mode: Redis was down. */
  readonly isInRedis: boolean;
  /** For a high-balance account: its hold was not requested yet. */
  readonly deferred: DeferredHold | undefined;
  readonly price: ModelPrice;
  readonly tables: PriceTables;
  readonly groupRatio: number;
  readonly quotaFor: (completionTokens: number) => number;
  readonly estimatedTokens: number;
};

/** How many tokens a hold grows by when a stream exceeds it. */
const EXTENSION_TOKENS = 500;
/** How many tokens it grows by if the balance does not cover that. */
const LAST_TOKENS = 50;

const priceTablesByOptions = new WeakMap<OptionsInForce, PriceTables>();
function getPriceTables(options: OptionsInForce): PriceTables {
  const known = priceTablesByOptions.get(options);
  if (known) return known;
  const tables = priceTablesOf(options);
  priceTablesByOptions.set(options, tables);
  return tables;
}

/** Maximum number of cached price lookups per set of price tables. */
const PRICES_MAX = 10_000;
const pricesByTables = new WeakMap<PriceTables, Map<string, ModelPrice | undefined>>();

/** The price on the call's current channel. */
function findPrice(call: RelayCall, tables: PriceTables): ModelPrice | undefined {
  const channel = getLastChannel(call);
  const upstream = channel === undefined ? call.model : getUpstreamModel(channel, call.model);
  const acceptUnset = call.admitted.caller.principal.acceptUnsetModelRatioModel;
  let prices = pricesByTables.get(tables);
  if (!prices || prices.size >= PRICES_MAX) pricesByTables.set(tables, (prices = new Map()));
  const id = `${acceptUnset ? 1 : 0} ${call.model} ${upstream}`;
  const known = prices.get(id);
  if (known) return known;
  const price = findModelPrice(tables, call.model, upstream, acceptUnset);
  prices.set(id, price);
  return price;
}

/** After this time a usage record is in JetStream or on disk. */
const PUBLISHED_MS = 10_000;
const BY_REDIS_ALONE = { note: undefined, isLate: false };
const NOTHING_SERVED = { amount: 0, json: "", keep: false, hasSucceeded: false, usedTokens: 0 };

/**
 * Settles in Redis; `done` runs with the response, and the write-ahead log entry is acknowledged once the cost is
 * stored elsewhere.
 */
function createSettle(deps: Deps) {
  return (
    settlement: Omit<Settlement, "done">,
    done: () => void,
    { note, isLate }: { note: Note | undefined; isLate: boolean } = BY_REDIS_ALONE,
  ): Promise<void> | undefined => {
    const confirm = (): void => note && deps.writeAheadLog.confirm(note);
    return deps.accounts.settle(
      {
        ...settlement,
        done: (result) => {
          if (result instanceof Error) {
            // The record is still published; posting it clears the hold.
            settleFailures.value++;
            deps.log.warn({ err: result, requestId: settlement.requestId }, "settlement in Redis failed");
            deps.highBalances.forget(settlement.userId);
            setTimeout(confirm, PUBLISHED_MS).unref();
          } else {
            deps.highBalances.remember(settlement, result);
            confirm();
          }
          done();
        },
      },
      isLate,
    );
  };
}

/** Creates meters: looks up the price, places a hold for the estimate, refuses calls that are not covered. */
export function createMetering(deps: Deps) {
  const settle = createSettle(deps);
  const createMeter = (call: RelayCall, held: HeldCall): CallMeter => {
    const { request, isInRedis, deferred, price, tables, groupRatio, quotaFor } = held;
    const { requestId, userId, tokenId, limits } = request;
    let coveredTokens = held.estimatedTokens;
    let spentQuota = 0;
    let upperBound = request.amount;
    return {
      price,
      cachedResponseRatio: tables.cachedResponseRatio,
      secure: () => deferred?.secure(),
      charge(told) {
        const { hitRatio } = told;
        // Another channel may have another price. A cached response involves no channel: its price is the one at
        // admission.
        const served = hitRatio === undefined && call.tried.length > 1 ? findPrice(call, tables) : undefined;
        const rates = { price: served ?? price, groupRatio, quotaPerUnit: tables.quotaPerUnit };
        const outcome = { ...told, usage: getCallUsage(call, told.usage) };
        const shared = hitRatio === undefined ? rates : { ...rates, groupRatio: groupRatio * hitRatio };
        const quota = computeCallQuota(call, shared, outcome.usage);
        const isComplete = outcome.error === undefined;
        if (isComplete && !outcome.estimated && hitRatio === undefined)
          deps.usageEstimator.learn(call.model, outcome.usage, call.estimatePromptTokens);
        const nowMs = deps.now();
        // Runs once the response was sent: the caller need not wait for it.
        const publish = (): void => deps.publisher.add(consumeRecord({ call, outcome, quota, rates, nowMs }));
        if (!isInRedis) return publish();
        const ended = deferred?.end();
        const json = recoveryJson(call, { promptQuota: quota, ...outcome.usage });
        const usedTokens = outcome.usage.promptTokens + outcome.usage.completionTokens;
        const settlement = { requestId, userId, tokenId, amount: quota, json, keep: true, limits, usedTokens };
        const entry = { amount: quota, tokenId, relayId: deps.accounts.relayId, settled: true, json };
        // A cut response started successfully too: a caller cannot bypass a limit by disconnecting early.
        const settled = { ...settlement, hasSucceeded: true };
        if (!ended) return settle(settled, publish);
        return deps.writeAheadLog.appendBatched({ requestId, userId, entry }).then((note) => {
          if (ended.note) deps.writeAheadLog.confirm(ended.note);
          // A hold in Redis would be posted as it is if this process dies: its cost is sent there first.
          return settle(settled, publish, { note, isLate: note !== undefined && !ended.wasSent });
        });
      },
      release() {
        const ended = deferred?.end();
        const note = ended?.wasNoted ? deps.writeAheadLog.note({ requestId, userId, entry: undefined }) : undefined;
        for (const written of [note, ended?.note]) if (written) deps.writeAheadLog.confirm(written);
        if (ended ? ended.wasSent : isInRedis)
          void settle({ requestId, userId, tokenId, limits, ...NOTHING_SERVED }, () => undefined);
      },
      produced(completionTokens) {
        if (deferred?.isRefused()) return false;
        if (completionTokens <= coveredTokens || price.mode === "call" || !isInRedis) return true;
        deferred?.place();
        coveredTokens = completionTokens + Math.max(EXTENSION_TOKENS, completionTokens);
        const extendTo = (tokens: number): Promise<boolean> =>
          deps.accounts.extend({ requestId, userId, tokenId, amount: quotaFor(tokens) }).catch(() => true);
        // Near the end of a balance the hold grows in small steps, so that a response continues as long as it is
        // covered.
        return extendTo(coveredTokens).then((isCovered) => {
          if (isCovered) return true;
          coveredTokens = completionTokens + LAST_TOKENS;
          return extendTo(coveredTokens);
        });
      },
      async spent(usage) {
        const quota = computeQuota(findPrice(call, tables) ?? price, groupRatio, tables.quotaPerUnit, usage);
        upperBound = Math.max(upperBound, quota - spentQuota);
        spentQuota = quota;
        if (!isInRedis) return true;
        deferred?.place();
        const json = recoveryJson(call, { promptQuota: quota, ...usage });
        const extend = (amount: number): Promise<boolean> =>
          deps.accounts.extend({ requestId, userId, tokenId, amount, json }).catch(() => true);
        return (await extend(quota + upperBound)) || extend(quota + request.amount);
      },
    };
  };

  return async function openMeter(call: RelayCall): Promise<CallMeter> {
    const options = deps.options();
    const tables = getPriceTables(options);
    const { token } = call.admitted.caller.known;
    const price = findPrice(call, tables);
    if (!price) {
      throw new RelayError(
        "model_price_error",
        `no price is set for the model ${call.model}; an administrator has to set one`,
        { param: "model" },
      );
    }
    if (!deps.publisher.hasRoom()) {
      throw new RelayError("service_unavailable", "usage cannot be recorded right now", { retryAfterSeconds: 5 });
    }
    const groupRatio = groupRatioOf(tables, call.group, call.admitted.caller.principal.group);
    const promptTokens = deps.usageEstimator.promptTokens(call.model, call.estimatePromptTokens);
    const expectedTokens = deps.usageEstimator.completionTokens(call.model);
    const estimatedTokens = call.maxOutputTokens ?? Math.max(expectedTokens, options.number("PreConsumedQuota"));
    const piecesQuota = call.dialect.endpoint
      ? estimateUnitsQuota(call, { price, groupRatio, quotaPerUnit: tables.quotaPerUnit })
      : 0;
    const quotaFor = (completionTokens: number): number =>
      Math.max(piecesQuota, estimateQuota(price, groupRatio, tables.quotaPerUnit, { promptTokens, completionTokens }));
    const amount = quotaFor(estimatedTokens);
    const request: HoldRequest = {
      requestId: call.requestId,
      userId: token.userId,
      tokenId: token.unlimitedQuota ? 0 : token.id,
      amount,
      least: call.maxOutputTokens === undefined ? Math.min(amount, quotaFor(expectedTokens)) : amount,
      limits: limitsOf(call, options, promptTokens + Math.min(estimatedTokens, expectedTokens)),
      json: () => recoveryJson(call, { promptQuota: quotaFor(0), promptTokens, completionTokens: 0 }),
    };
    const deferred = deps.highBalances.covers(request) ? deps.deferred.open(request) : undefined;
    if (deferred) countHold("deferred");
    const isInRedis = deferred !== undefined || (await deps.placeHold(request));
    return createMeter(call, { request, isInRedis, deferred, price, tables, groupRatio, quotaFor, estimatedTokens });
  };
}
export type OpenMeter = ReturnType<typeof createMetering>;
