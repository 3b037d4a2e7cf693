import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ModelPrice, PriceTables } from "@turnpike/contract/pricing/price-tables";
import { computeHoldQuota, computeLikelyQuota, getToolDollars } from "@turnpike/contract/pricing/hold-quota";
import { findModelFacts } from "@turnpike/shared/catalogue/built-in-catalogue";
import type { Logger } from "@turnpike/shared/log/log";
import { asNumber } from "../../../core/chat/json.ts";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import { countHold } from "../../../core/telemetry/relay-metrics.ts";
import type { UsageEstimator } from "../../tokens/usage-estimator.ts";
import { recoveryJson } from "../../usage/log-row-fields.ts";
import { estimateUnitsQuota, searchesAlways } from "../../usage/call-quota.ts";
import type { UsagePublisher } from "../../usage/usage-publisher.ts";
import type { CallOutcome } from "../../usage/call-outcome.ts";
import type { WriteAheadLog } from "../../usage/write-ahead-log.ts";
import type { AccountClient } from "../account-client.ts";
import type { HoldRequest } from "../account-requests.ts";
import type { CallMeter } from "./call-meter.ts";
import { HeldCallMeter } from "./held-call-meter.ts";
import type { HeldCall } from "./held-call.ts";
import { findIterationPrice, findPrice, getGroupRatio, getPriceTables } from "./call-price.ts";
import type { DeferredHolds } from "../deferred-holds.ts";
import type { HighBalanceCache } from "../high-balance-cache.ts";
import { createOwnedMeter } from "./owned-call-meter.ts";
import type { PlaceHold } from "../hold-placement.ts";
import { getExpectedContent } from "./expected-content.ts";
import { estimateIterationsQuota } from "./expected-iterations.ts";
import { getExpectedTools } from "./expected-tools.ts";
import type { ReportLimits } from "../limits/limit-arguments.ts";
import { getLimits } from "../limits/limits.ts";
import { applyTierPolicy, getRequestedTier } from "../../usage/service-tiers.ts";
import { createSettle } from "./settlement.ts";

type Deps = {
  readonly accounts: AccountClient;
  readonly options: () => OptionsInForce;
  readonly usageEstimator: UsageEstimator;
  readonly publisher: UsagePublisher;
  readonly placeHold: PlaceHold;
  readonly highBalances: HighBalanceCache;
  readonly deferred: DeferredHolds;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly writeAheadLog: Pick<WriteAheadLog, "append" | "appendBatched" | "acknowledge">;
  readonly now: () => number;
  readonly log: Logger;
};

/** The hold of a call by its estimate, and the prices it is based on. */
type Estimate = Pick<
  HeldCall,
  | "request"
  | "price"
  | "tables"
  | "groupRatio"
  | "quotaFor"
  | "leastFor"
  | "iterationsQuota"
  | "promptTokens"
  | "estimatedTokens"
  | "tokensMax"
  | "tierPolicy"
> & {
  /** What `leastFor` adds for tools that the call need not use. */
  readonly optionalQuota: number;
};

/** Throws RelayError model_price_error if no price is set. */
export function getPrice(call: RelayCall, tables: PriceTables): ModelPrice {
  const price = findPrice(call, tables);
  if (price) return price;
  const message = `no price is set for the model ${call.model}; an administrator has to set one`;
  throw new RelayError("model_price_error", message, { param: "model" });
}

/** The most tokens that a response may have by the catalogue's facts about its model, over all choices that the call requests. */
function getTokensMax({ model, body }: RelayCall): number {
  const choices = Math.max(1, asNumber(body["n"]) ?? 1);
  return (findModelFacts(model)?.max_output ?? Number.POSITIVE_INFINITY) * choices;
}

/** The hold of a call by its estimate. */
export function estimateHold(
  call: RelayCall,
  { tables, price }: Pick<Estimate, "tables" | "price">,
  { options, usageEstimator }: { options: OptionsInForce; usageEstimator: UsageEstimator },
): Estimate {
  const { known } = call.admitted.caller;
  const groupRatio = getGroupRatio(call, tables);
  const promptTokens = usageEstimator.promptTokens(call.model, call.estimatePromptTokens);
  const expectedTokens = usageEstimator.completionTokens(call.model);
  const tokensMax = getTokensMax(call);
  const assumedTokens = Math.min(tokensMax, Math.max(expectedTokens, options.number("PreConsumedQuota")));
  const estimatedTokens = call.maxOutputTokens ?? assumedTokens;
  const unitsQuota = call.dialect.endpoint
    ? estimateUnitsQuota(call, { price, groupRatio, quotaPerUnit: tables.quotaPerUnit })
    : 0;
  const content = getExpectedContent(call, price, options.flag("claude.cache_breakpoints_enabled"));
  const tools = getExpectedTools(call, price);
  const iterations = estimateIterationsQuota(call, {
    price,
    groupRatio,
    quotaPerUnit: tables.quotaPerUnit,
    findModelPrice: (model) => findIterationPrice(call, tables, model),
    content,
    promptTokens,
  });
  // Where tokens are charged instead of pieces, the images cost about as much, and the prompt is charged too.
  const prompt = { ...content, promptTokens, completionTokens: 0 };
  const piecesQuota =
    unitsQuota > 0 && price.mode === "tokens"
      ? unitsQuota + computeHoldQuota(price, groupRatio, tables.quotaPerUnit, prompt)
      : unitsQuota;
  const quotaFor = (completionTokens: number): number => {
    const expected = { ...content, promptTokens, completionTokens, toolCalls: tools.most };
    return Math.max(piecesQuota, computeHoldQuota(price, groupRatio, tables.quotaPerUnit, expected) + iterations.most);
  };
  // What the account must cover: an account that cannot cover the most expensive tier is still served as requested.
  const tier = getRequestedTier(call);
  const leastFor = (completionTokens: number): number => {
    const likely = { promptTokens, completionTokens, tier, toolCalls: tools.likely };
    return Math.max(unitsQuota, computeLikelyQuota(price, groupRatio, tables.quotaPerUnit, likely) + iterations.likely);
  };
  const amount = quotaFor(estimatedTokens);
  const request: HoldRequest = {
    requestId: call.requestId,
    userId: known.token.userId,
    tokenId: known.token.unlimitedQuota ? 0 : known.token.id,
    amount,
    least: Math.min(amount, leastFor(call.maxOutputTokens ?? expectedTokens)),
    limits: getLimits(call, options, promptTokens + Math.min(estimatedTokens, expectedTokens)),
    json: () => recoveryJson(call, { promptQuota: quotaFor(0) - iterations.most, promptTokens, completionTokens: 0 }),
  };
  const tierPolicy = options.text("UnpricedTiers");
  const optionalQuota = searchesAlways(call)
    ? 0
    : Math.floor(getToolDollars(price, tools.likely) * tables.quotaPerUnit * groupRatio);
  const iterationsQuota = iterations.most;
  const amounts = { quotaFor, leastFor, iterationsQuota, optionalQuota, promptTokens, estimatedTokens, tokensMax };
  return { request, price, tables, groupRatio, ...amounts, tierPolicy };
}

/** Creates meters: looks up the price, places a hold for the estimate, refuses calls that are not covered. */
export function createMetering(deps: Deps) {
  const meterDeps = { ...deps, settle: createSettle(deps) };
  return async function openMeter(
    call: RelayCall,
    onCharge: (outcome: CallOutcome) => void = () => undefined,
    reportLimits?: ReportLimits,
  ): Promise<CallMeter> {
    const options = deps.options();
    const tables = getPriceTables(options);
    const price = getPrice(call, tables);
    applyTierPolicy(call, price, options);
    if (!deps.publisher.hasRoom())
      throw new RelayError("service_unavailable", "usage cannot be recorded right now", { retryAfterSeconds: 5 });
    const { usageEstimator } = deps;
    const estimate = estimateHold(call, { tables, price }, { options, usageEstimator });
    const { request } = estimate;
    const deferred = deps.highBalances.covers(request) ? deps.deferred.open(request) : undefined;
    if (deferred) countHold("deferred");
    const isInRedis = deferred !== undefined || (await deps.placeHold(request, reportLimits));
    const meter = new HeldCallMeter(meterDeps, { ...estimate, call, isInRedis, deferred, onCharge });
    return call.mayCharge ? createOwnedMeter(meter, call.mayCharge) : meter;
  };
}

export type OpenMeter = ReturnType<typeof createMetering>;
