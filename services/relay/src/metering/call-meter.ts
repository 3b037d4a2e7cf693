import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { priceTablesOf } from "@turnpike/contract/options/options-in-force";
import { findModelPrice, groupRatioOf, type ModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-book";
import { computeQuota, estimateQuota, type TokenUsage } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { KnownToken } from "../admission/caller-directory.ts";
import { type ChatCall, lastChannel } from "../calls/chat-call.ts";
import { RelayError } from "../errors/relay-error.ts";
import { upstreamModelOf } from "../routing/routing-table.ts";
import type { AccountClient, HoldAnswer, HoldRequest, Limit } from "./account-client.ts";
import type { LearnedUsage } from "./learned-usage.ts";
import { limitsOf } from "./limits.ts";
import type { OpenModeLedger } from "./open-mode.ts";
import type { UsagePublisher } from "./usage-publisher.ts";
import { type CallOutcome, consumeRecord } from "./usage-record.ts";

/** An admitted call's money: what is held, and how it ends. Exactly one of `charge` and `release` is called. */
export type CallMeter = {
  readonly price: ModelPrice;
  /** Puts the real cost in place of the hold and sends the usage record. */
  readonly charge: (outcome: CallOutcome) => Promise<void>;
  /** Gives the hold back: nothing was served. */
  readonly release: () => Promise<void>;
  /** Tells how many tokens were produced so far; false when the balance no longer covers the call. */
  readonly produced: (completionTokens: number) => boolean | Promise<boolean>;
};

type Deps = {
  readonly accounts: AccountClient;
  readonly options: () => OptionsInForce;
  readonly learned: LearnedUsage;
  readonly publisher: UsagePublisher;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly openMode: OpenModeLedger;
  readonly now: () => number;
  readonly log: Logger;
};

/** By how much a hold grows when a stream has outgrown it. */
const EXTENSION_TOKENS = 500;
/** Written facts kept for one token. */
const FACTS_MAX = 200;

const priceTablesByOptions = new WeakMap<OptionsInForce, PriceTables>();
function tablesOf(options: OptionsInForce): PriceTables {
  const known = priceTablesByOptions.get(options);
  if (known) return known;
  const tables = priceTablesOf(options);
  priceTablesByOptions.set(options, tables);
  return tables;
}

function refusal(answer: Exclude<HoldAnswer, { outcome: "held" }>): RelayError {
  switch (answer.outcome) {
    case "limited": {
      const retryAfterSeconds = Math.max(1, Math.ceil(answer.waitMs / 1000));
      return new RelayError(
        "rate_limit_exceeded",
        `the request limit is reached, try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
    case "user_quota":
      return new RelayError("insufficient_user_quota", "the balance does not cover this call");
    case "token_quota":
      return answer.available <= 0
        ? new RelayError("token_quota_exhausted", "the quota of this token is used up")
        : new RelayError("insufficient_token_quota", "the quota of this token does not cover this call");
    case "not_loaded":
      return new RelayError("service_unavailable", "the balance could not be read right now", { retryAfterSeconds: 2 });
  }
}

/** Opens meters: finds the price, holds the estimate, refuses what is not covered. */
export function createMetering(deps: Deps) {
  const holdOnce = async (request: HoldRequest): Promise<HoldAnswer> => {
    const answer = await deps.accounts.hold(request);
    if (answer.outcome !== "not_loaded") return answer;
    await deps.loadAccount(request.userId, request.tokenId).catch((cause: unknown) => {
      throw new RelayError("service_unavailable", "the balance could not be read right now", {
        retryAfterSeconds: 2,
        cause,
      });
    });
    return deps.accounts.hold(request);
  };
  /** False when Redis is away and the call may run all the same, on the word of the last known balance. */
  const holdOrExcuse = async (request: HoldRequest): Promise<boolean> => {
    let answer: HoldAnswer;
    try {
      answer = await holdOnce(request);
    } catch (cause) {
      if (cause instanceof RelayError) throw cause;
      if (deps.openMode.admits(request.userId, request.amount)) return false;
      throw new RelayError("service_unavailable", "balances cannot be checked right now", {
        retryAfterSeconds: 1,
        cause,
      });
    }
    if (answer.outcome !== "held") throw refusal(answer);
    deps.openMode.remember(request.userId, answer.available);
    return true;
  };

  return async function openMeter(call: ChatCall): Promise<CallMeter> {
    const channel = lastChannel(call);
    const options = deps.options();
    const tables = tablesOf(options);
    const { token } = call.admitted.caller.known;
    const { principal } = call.admitted.caller;
    const priceNow = (): ModelPrice | undefined => {
      const upstream = upstreamModelOf(lastChannel(call) ?? (channel as NonNullable<typeof channel>), call.model);
      return findModelPrice(tables, call.model, upstream, principal.acceptUnsetModelRatioModel);
    };
    const price = priceNow();
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
    const groupRatio = groupRatioOf(tables, call.group);
    const quotaOf = (usage: TokenUsage, by: ModelPrice = price): number =>
      computeQuota(by, groupRatio, tables.quotaPerUnit, usage);

    const promptTokens = deps.learned.promptTokens(call.model, call.roughPromptTokens);
    const learnedTokens = deps.learned.completionTokens(call.model);
    const wishedTokens = call.maxOutputTokens ?? Math.max(learnedTokens, options.number("PreConsumedQuota"));
    const quotaFor = (completionTokens: number): number =>
      estimateQuota(price, groupRatio, tables.quotaPerUnit, { promptTokens, completionTokens });
    const amount = quotaFor(wishedTokens);
    const limits: readonly Limit[] = limitsOf(call, options);
    const request: HoldRequest = {
      requestId: call.requestId,
      userId: token.userId,
      tokenId: token.unlimitedQuota ? 0 : token.id,
      amount,
      least: call.maxOutputTokens === undefined ? Math.min(amount, quotaFor(learnedTokens)) : amount,
      limits,
      json: recoveryJson(call, { promptQuota: quotaFor(0), promptTokens, completionTokens: 0 }),
    };
    const isHeld = await holdOrExcuse(request);
    let coveredTokens = wishedTokens;

    const settle = async (quota: number, json: string, keep: boolean, succeeded: boolean): Promise<void> => {
      try {
        if (isHeld)
          await deps.accounts.settle({ ...request, amount: quota, json, keep, limits: succeeded ? limits : [] });
      } catch (error) {
        // The record still goes out; booking it clears the hold.
        deps.log.warn({ err: error, requestId: call.requestId }, "a call could not be settled in Redis");
      }
    };
    return {
      price,
      async charge(outcome) {
        const finalPrice = priceNow() ?? price;
        const quota = quotaOf(outcome.usage, finalPrice);
        const json = recoveryJson(call, { promptQuota: quota, ...outcome.usage });
        await settle(quota, json, true, outcome.error === undefined);
        if (outcome.error === undefined && !outcome.estimated)
          deps.learned.learn(call.model, outcome.usage, call.roughPromptTokens);
        const record: UsageRecord = consumeRecord({
          call,
          outcome,
          quota,
          price: finalPrice,
          groupRatio,
          nowMs: deps.now(),
        });
        deps.publisher.add(record);
      },
      release: () => settle(0, "", false, false),
      produced(completionTokens) {
        if (price.mode === "call" || completionTokens <= coveredTokens || !isHeld) return true;
        coveredTokens = completionTokens + Math.max(EXTENSION_TOKENS, completionTokens);
        return deps.accounts
          .extend({
            requestId: call.requestId,
            userId: request.userId,
            tokenId: request.tokenId,
            amount: quotaFor(coveredTokens),
          })
          .catch(() => true);
      },
    };
  };
}
export type OpenMeter = ReturnType<typeof createMetering>;

/** What of those facts is the same for many calls, already written. */
const fixedFacts = new WeakMap<KnownToken, Map<string, string>>();

function fixedFactsOf(call: ChatCall): string {
  const { known, principal } = call.admitted.caller;
  const channel = lastChannel(call);
  const key = `${channel?.id ?? 0} ${call.stream ? 1 : 0} ${call.group} ${call.model}`;
  const facts = fixedFacts.get(known) ?? new Map<string, string>();
  fixedFacts.set(known, facts);
  const written = facts.get(key);
  if (written !== undefined) return written;
  const text = JSON.stringify({
    u: principal.username,
    i: known.token.id,
    t: known.token.name,
    m: call.model,
    c: channel?.id ?? 0,
    cn: channel?.name ?? "",
    g: call.group,
    s: call.stream ? 1 : 0,
  });
  if (facts.size >= FACTS_MAX) facts.clear();
  facts.set(key, text);
  return text;
}

/** The facts by which billing can book a call whose relay died; short names, since every call sends them. */
function recoveryJson(
  call: ChatCall,
  figures: { promptQuota: number; promptTokens: number; completionTokens: number },
): string {
  const { promptQuota, promptTokens, completionTokens } = figures;
  const at = Math.floor(call.startedAtMs / 1000);
  return `${fixedFactsOf(call).slice(0, -1)},"p":${promptTokens},"o":${completionTokens},"q":${promptQuota},"at":${at}}`;
}
