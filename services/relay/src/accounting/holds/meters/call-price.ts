import { type OptionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import {
  findGroupRatio,
  findModelPrice,
  type ModelPrice,
  type PriceTables,
} from "@turnpike/contract/pricing/price-tables";
import { toVendorName } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { getUpstreamModel } from "../../../core/call/channel.ts";
import { getLastChannel, type RelayCall } from "../../../core/call/relay-call.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import type { PostedCall } from "../../usage/log-row-fields.ts";

const priceTablesByOptions = new WeakMap<OptionsInForce, PriceTables>();
/** The price tables of an options snapshot. */
export function getPriceTables(options: OptionsInForce): PriceTables {
  const known = priceTablesByOptions.get(options);
  if (known) return known;
  const tables = toPriceTables(options);
  priceTablesByOptions.set(options, tables);
  return tables;
}

/** Maximum number of cached price lookups per set of price tables. */
const PRICES_MAX = 10_000;
const pricesByTables = new WeakMap<PriceTables, Map<string, ModelPrice | undefined>>();

/** The price on the call's current channel; undefined if none is set for its model. */
export function findPrice(call: RelayCall, tables: PriceTables): ModelPrice | undefined {
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

/** The factor of the call's group. Throws group_not_allowed for a group without a ratio: an unknown one is not 1. */
export function getGroupRatio(
  { group, admitted }: Pick<PostedCall, "group" | "admitted">,
  tables: PriceTables,
): number {
  const ratio = findGroupRatio(tables, group, admitted.caller.principal.group);
  if (ratio !== undefined) return ratio;
  throw new RelayError("group_not_allowed", `the group ${group} has no ratio; an administrator has to set one`);
}

/** The price of a model that an iteration of a call names, by its upstream name; undefined if it has none. */
export const findIterationPrice = (call: RelayCall, tables: PriceTables, model: string): ModelPrice | undefined =>
  findModelPrice(tables, model, toVendorName(model), call.admitted.caller.principal.acceptUnsetModelRatioModel);
