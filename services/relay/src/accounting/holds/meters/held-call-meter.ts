import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { formatDollars } from "@turnpike/contract/pricing/dollars";
import { computeQuota, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { withIterations } from "@turnpike/contract/pricing/usage";
import { recoveryJson } from "../../usage/log-row-fields.ts";
import { getCallCost } from "../../usage/call-cost.ts";
import { computeCallQuota, getCallUsage, type Rates } from "../../usage/call-quota.ts";
import { consumeRecord } from "../../usage/usage-record.ts";
import type { CallOutcome } from "../../usage/call-outcome.ts";
import type { CallMeter, GeneratedTokens } from "./call-meter.ts";
import { findIterationPrice, findPrice } from "./call-price.ts";
import { getReportWait, REPORT_STEP } from "./progress-reports.ts";
import type { MeterDeps, HeldCall } from "./held-call.ts";

/** How many tokens a hold grows by when a stream exceeds it. */
const EXTENSION_TOKENS = 500;
/** How many tokens it grows by if the balance does not cover that. */
const LAST_TOKENS = 50;
/** An estimate that rests on no count may be half of the truth. */
const SURELY_BELOW = 0.5;
const NOTHING_SERVED = { amount: 0, json: "", keep: false, hasSucceeded: false, usedTokens: 0 };

/** The meter of a call with a hold: placed in Redis, deferred, or none in fail-open mode. */
export class HeldCallMeter implements CallMeter {
  readonly price: ModelPrice;
  readonly cachedResponseRatio: number;
  readonly #deps: MeterDeps;
  readonly #held: HeldCall;
  /** Completion tokens that the hold covers. */
  #coveredTokens: number;
  /** The least that the call holds: Redis may have granted more than the minimum. */
  #heldAmount: number;
  /** The length of the response at which the progress is stored next. */
  #reportFromLength = 1;
  /** When the first part of the response was reported. */
  #firstAtMs: number | undefined;
  /** A report of the progress waits to be sent; it is written from what was generated until then. */
  #isReportWaiting = false;
  #isEnded = false;
  #charge: string | undefined;
  /** The cost that `spent` last reported, and the highest cost between two reports. */
  #spentQuota = 0;
  #upperBound: number;

  constructor(deps: MeterDeps, held: HeldCall) {
    this.#deps = deps;
    this.#held = held;
    this.price = held.price;
    this.cachedResponseRatio = held.tables.cachedResponseRatio;
    this.#coveredTokens = held.estimatedTokens;
    this.#heldAmount = held.request.least;
    this.#upperBound = held.request.amount;
  }

  secure(): void {
    this.#held.deferred?.secure();
  }

  getCharge(): string | undefined {
    return this.#charge;
  }

  getCoveredTokens(): number {
    return Math.max(this.#coveredTokens, this.#held.estimatedTokens);
  }

  charge(reported: CallOutcome): Promise<void> | void {
    const { call, isInRedis, onCharge } = this.#held;
    onCharge(reported);
    const rates = this.#getRates(reported);
    const outcome = { ...reported, usage: getCallUsage(call, reported.usage, rates.price, this.#held.tierPolicy) };
    const { hitRatio } = outcome;
    const shared = hitRatio === undefined ? rates : { ...rates, cachedShare: hitRatio };
    const fullQuota = computeCallQuota(call, shared, outcome.usage);
    const quota = Math.min(fullQuota, call.chargeLimit?.quota ?? fullQuota);
    this.#charge = formatDollars(quota, rates.quotaPerUnit);
    if (outcome.error === undefined && !outcome.estimated && hitRatio === undefined)
      this.#deps.usageEstimator.learn(call.model, outcome.usage, call.estimatePromptTokens);
    const nowMs = this.#deps.now();
    // Runs after the response was sent: the caller need not wait for it.
    const publish = (): void => {
      const cost = getCallCost(call, reported, this.#held.tables);
      this.#deps.publisher.add(consumeRecord({ call, outcome, quota, rates, cost, nowMs }));
    };
    return isInRedis ? this.#settle(quota, withIterations(outcome.usage), publish) : publish();
  }

  /**
   * The rates of a served call. Another channel may have another price; a cached response involves no channel: its
   * price is the one at admission.
   */
  #getRates({ hitRatio }: CallOutcome): Rates {
    const { call, tables, price, groupRatio } = this.#held;
    const served = hitRatio === undefined && call.tried.length > 1 ? findPrice(call, tables) : undefined;
    const findModelPrice = (model: string): ModelPrice | undefined => findIterationPrice(call, tables, model);
    return { price: served ?? price, groupRatio, quotaPerUnit: tables.quotaPerUnit, findModelPrice };
  }

  #settle(quota: number, usage: TokenUsage, publish: () => void): Promise<void> | undefined {
    const { settle, writeAheadLog, accounts } = this.#deps;
    const { call, deferred } = this.#held;
    const { requestId, userId, tokenId, limits } = this.#held.request;
    const json = recoveryJson(call, { promptQuota: quota, ...usage });
    this.#isEnded = true;
    const ended = deferred?.end();
    const usedTokens = usage.promptTokens + usage.completionTokens;
    const kept = { requestId, userId, tokenId, amount: quota, json, keep: true, limits, usedTokens };
    // A cut response started successfully too: a caller cannot bypass a limit by disconnecting early.
    const settlement = { ...kept, hasSucceeded: true };
    if (!ended) return settle(settlement, publish);
    const entry = { amount: quota, tokenId, relayId: accounts.relayId, settled: true, json };
    return writeAheadLog.appendBatched({ requestId, userId, entry }).then((receipt) => {
      if (ended.receipt) writeAheadLog.acknowledge(ended.receipt);
      // A hold in Redis would be posted as it is if this process dies: its cost is sent there first.
      return settle(settlement, publish, { receipt, isLate: receipt !== undefined && !ended.wasSent });
    });
  }

  release(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { settle, writeAheadLog } = this.#deps;
    const { deferred, isInRedis } = this.#held;
    const { requestId, userId, tokenId, limits } = this.#held.request;
    const ended = deferred?.end();
    const receipt = ended?.wasAppended ? writeAheadLog.append({ requestId, userId, entry: undefined }) : undefined;
    for (const written of [receipt, ended?.receipt]) if (written) writeAheadLog.acknowledge(written);
    if (ended ? ended.wasSent : isInRedis)
      void settle({ requestId, userId, tokenId, limits, ...NOTHING_SERVED }, () => undefined);
  }

  produced(generated: GeneratedTokens): boolean | Promise<boolean> {
    const { deferred, isInRedis } = this.#held;
    if (deferred?.isRefused()) return false;
    if (this.price.mode === "call" || !isInRedis) return true;
    const completionTokens = generated.estimateTokens();
    if (!this.#isReportWaiting && generated.length() >= this.#reportFromLength && deferred?.isWaiting() !== true)
      this.#reportProgress(generated);
    if (completionTokens <= this.#coveredTokens) return true;
    deferred?.place();
    return this.#extendBeyond(completionTokens);
  }

  isLimitReached(generated: GeneratedTokens): boolean | Promise<boolean> {
    const { chargeLimit: limit, dialect } = this.#held.call;
    // Raw bytes have no mark for an early end.
    if (limit === undefined || dialect.endpoint?.returnsBytes === true) return false;
    const isAt = (share: number): boolean => generated.estimateTokens() >= limit.completionTokens * share;
    if (!isAt(generated.wasCounted() ? 1 : SURELY_BELOW)) return false;
    return generated.recount()?.then(() => isAt(1)) ?? isAt(1);
  }

  /** Near the end of a balance the hold grows in small steps, so that a response continues as long as it is covered. */
  #extendBeyond(completionTokens: number): Promise<boolean> {
    const { quotaFor, leastFor, tokensMax } = this.#held;
    const grown = completionTokens + Math.max(EXTENSION_TOKENS, completionTokens);
    // Counts of a response in progress are estimates: one above the model's maximum still needs room.
    this.#coveredTokens =
      completionTokens < tokensMax ? Math.min(grown, tokensMax) : completionTokens + EXTENSION_TOKENS;
    const json = this.#getProgress(completionTokens);
    return this.#extend(quotaFor(this.#coveredTokens), json).then((isCovered) => {
      if (isCovered) return true;
      this.#coveredTokens = completionTokens + LAST_TOKENS;
      return this.#extend(leastFor(this.#coveredTokens), json);
    });
  }

  async spent(usage: TokenUsage): Promise<boolean> {
    const { call, tables, price, groupRatio, isInRedis, deferred, request } = this.#held;
    const quota = computeQuota(findPrice(call, tables) ?? price, groupRatio, tables.quotaPerUnit, usage);
    this.#upperBound = Math.max(this.#upperBound, quota - this.#spentQuota);
    this.#spentQuota = quota;
    if (!isInRedis) return true;
    deferred?.place();
    const json = recoveryJson(call, { promptQuota: quota, ...usage });
    return (await this.#extend(quota + this.#upperBound, json)) || this.#extend(quota + request.amount, json);
  }

  #reportProgress(generated: GeneratedTokens): void {
    generated.refine();
    this.#isReportWaiting = true;
    const waitMs = getReportWait(this.#getAge());
    this.#deps.accounts.reportProgress(this.#held.request, { toJson: () => this.#takeReport(generated), waitMs });
  }

  /** How long ago the first part of the response was reported, in ms. */
  #getAge(): number {
    const nowMs = this.#deps.now();
    this.#firstAtMs ??= nowMs;
    return nowMs - this.#firstAtMs;
  }

  /** The progress at the time when the report is sent. */
  #takeReport(generated: GeneratedTokens): string {
    this.#isReportWaiting = false;
    generated.refine();
    this.#reportFromLength = generated.length() * REPORT_STEP;
    return this.#getProgress(generated.estimateTokens());
  }

  /** What the janitor posts if this process dies now. */
  #getProgress(completionTokens: number): string {
    const { call, quotaFor, iterationsQuota, promptTokens } = this.#held;
    const promptQuota = quotaFor(completionTokens) - iterationsQuota;
    return recoveryJson(call, { promptQuota, promptTokens, completionTokens });
  }

  /** Raises the hold to `amount`, or creates it again. While Redis is down the call continues. */
  async #extend(amount: number, json: string): Promise<boolean> {
    const { requestId, userId, tokenId } = this.#held.request;
    const { accounts, loadAccount } = this.#deps;
    const extension = { requestId, userId, tokenId, amount, heldAmount: this.#heldAmount, json };
    const recordCover = (isCovered: boolean | undefined): boolean | undefined => {
      if (isCovered === true) this.#heldAmount = Math.max(this.#heldAmount, amount);
      return isCovered;
    };
    const isCovered = await accounts.extend(extension).then(recordCover, () => true);
    if (isCovered !== undefined) return isCovered;
    // Redis was emptied. The call continues while the balance is loaded, and then places its hold again.
    loadAccount(userId, tokenId).then(
      () => (this.#coveredTokens = 0),
      () => undefined,
    );
    return true;
  }
}
