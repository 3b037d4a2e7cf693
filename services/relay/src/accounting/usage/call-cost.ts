import { findCostPrice, toQuotaUnits } from "@turnpike/contract/pricing/channel-cost";
import type { FindModelPrice } from "@turnpike/contract/pricing/iterations";
import type { ModelPrice, PriceTables } from "@turnpike/contract/pricing/price-tables";
import { computeQuota, NO_USAGE, QUOTA_MAX } from "@turnpike/contract/pricing/quota";
import { toVendorName } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { IterationUsage } from "@turnpike/contract/pricing/usage";
import { type CostSide, getUpstreamModel } from "../../core/call/channel.ts";
import { getLastChannel, type RelayCall } from "../../core/call/relay-call.ts";
import type { PostedCall } from "./log-row-fields.ts";
import { computeCallQuota, getCallUsage, getPieces } from "./call-quota.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** What upstream charges for a call, in quota units, and where that is known from; without `cost` it is unknown. */
export type CallCost = { readonly cost?: number; readonly costSource?: string };

/** Prices that were found in a list, by upstream model and requested model; `undefined` for those that it lacks. */
const pricesByList = new WeakMap<PriceRules, Map<string, ModelPrice | undefined>>();
const PRICES_MAX = 10_000;

/** The price in the list that a channel's cost side has, else in the catalogue; undefined where neither lists the model. */
export function getCostPrice(
  { source, prices }: CostSide,
  catalogue: PriceRules,
  models: { readonly upstream: string; readonly requested: string },
): ModelPrice | undefined {
  const list = source === "catalogue" ? catalogue : prices;
  if (list === undefined) return undefined;
  let known = pricesByList.get(list);
  if (!known || known.size >= PRICES_MAX) pricesByList.set(list, (known = new Map()));
  const id = `${models.upstream}\n${models.requested}`;
  if (!known.has(id)) known.set(id, findCostPrice(list, models.upstream, models.requested));
  return known.get(id);
}

/** The cost of a usage at a price of upstream's; undefined where the price does not cover this kind of call. */
function computeCost(
  call: RelayCall,
  { usage }: CallOutcome,
  rates: {
    readonly price: ModelPrice;
    readonly factor: number;
    readonly quotaPerUnit: number;
    readonly findModelPrice: FindModelPrice;
  },
): number | undefined {
  const { price, factor, quotaPerUnit, findModelPrice } = rates;
  const used = getCallUsage(call, usage, price, "refuse");
  // The family's price of an image by a ratio for tokens is a convention of gateways; no upstream charges it.
  const isByConvention = price.mode !== "call" && getPieces(call, price, used) !== undefined;
  if (isByConvention && price.pieces?.perImage === undefined) return undefined;
  const isListed = ({ model }: IterationUsage): boolean => model === undefined || findModelPrice(model) !== undefined;
  if (used.iterations?.every(isListed) === false) return undefined;
  return computeCallQuota(call, { price, groupRatio: factor, quotaPerUnit, findModelPrice }, used);
}

/**
 * What upstream charges for a served call. It runs after the response was sent. The formula is the one that charges callers, over
 * the prices of the channel's cost side times its factor.
 */
export function getCallCost(call: RelayCall, outcome: CallOutcome, tables: PriceTables): CallCost {
  if (outcome.hitRatio !== undefined) return { cost: 0, costSource: "cache" };
  const channel = getLastChannel(call);
  if (!channel) return {};
  const { source, factor } = channel.cost;
  const { quotaPerUnit } = tables;
  if (source === "reported") {
    const { reportedDollars } = outcome.usage;
    if (reportedDollars === undefined) return { costSource: source };
    return { cost: Math.min(QUOTA_MAX, toQuotaUnits(reportedDollars, factor, quotaPerUnit)), costSource: source };
  }
  const models = { upstream: getUpstreamModel(channel, call.model), requested: call.model };
  const price = getCostPrice(channel.cost, tables.catalogue, models);
  const findModelPrice = (model: string): ModelPrice | undefined =>
    getCostPrice(channel.cost, tables.catalogue, { upstream: model, requested: toVendorName(model) });
  const cost = price && computeCost(call, outcome, { price, factor, quotaPerUnit, findModelPrice });
  return cost === undefined ? { costSource: source } : { cost, costSource: source };
}

/** What upstream charges for a call that is paid by the call, such as an image or music task. */
export function getPerCallCost(call: PostedCall, { catalogue, quotaPerUnit }: PriceTables): CallCost {
  const channel = getLastChannel(call);
  if (!channel) return {};
  const { source, factor } = channel.cost;
  const models = { upstream: getUpstreamModel(channel, call.model), requested: call.model };
  const price = getCostPrice(channel.cost, catalogue, models);
  if (price?.mode !== "call") return { costSource: source };
  return { cost: computeQuota(price, factor, quotaPerUnit, NO_USAGE), costSource: source };
}
