import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { canCallModel } from "../admission/model-access.ts";
import type { Choice, RoutedChannel, Tiers } from "../core/call/channel.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Chooser, RoutingPreferences } from "../routing/channel-chooser.ts";
import { orderByCost } from "../routing/cheapest-first.ts";
import { getRoutingPreferences } from "../routing/routing-preferences.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { hasEndpoint, hasFormat, serves } from "./prepare/serving-provider.ts";

/**
 * The channels that may serve a call, in tiers: by priority, and within a priority by cost if the option enables it for the group. Throws
 * the caller's error or no_available_channel.
 */
export function findTiers(call: RelayCall, table: RoutingTable, options: OptionsInForce): Tiers {
  const { pinnedChannelId, caller } = call.admitted;
  if (pinnedChannelId !== undefined) {
    const channel = table.byId(pinnedChannelId);
    if (!channel && table.isIdle(pinnedChannelId))
      throw new RelayError("channel_pin_not_allowed", `channel ${pinnedChannelId} is not in use`);
    if (!channel) throw new RelayError("invalid_request", `channel ${pinnedChannelId} does not exist`);
    return [[channel]];
  }
  if (!canCallModel(caller.known, table, call.model)) {
    throw new RelayError("model_not_allowed", `this token may not use the model ${call.model}`, { param: "model" });
  }
  const tiers = table.tiers(call.group, call.model);
  if (tiers.length > 0) return orderByCost(tiers, call, options);
  if (!table.knowsModel(call.model))
    throw new RelayError("model_not_found", `the model ${call.model} does not exist`, { param: "model" });
  throw new RelayError(
    "no_available_channel",
    `no channel of the group ${call.group} serves the model ${call.model} right now`,
  );
}

const filterTiers = (tiers: Tiers, isKept: (channel: RoutedChannel) => boolean): Tiers =>
  tiers.map((tier) => tier.filter(isKept)).filter((tier) => tier.length > 0);

/** The candidates that serve the endpoint. Throws invalid_request if there are none: a retry would not help. */
function filterByEndpoint(tiers: Tiers, call: RelayCall): Tiers {
  const among = (fits: typeof serves): Tiers => filterTiers(tiers, (channel) => fits(channel, call));
  const served = among(serves);
  if (served.length > 0) {
    if (!call.dialect.endpoint?.isPartialOverChat?.(call.body)) return served;
    // Channels that serve the call only in part are the last resort of failover.
    return [...among(hasEndpoint), ...among((channel) => serves(channel, call) && !hasEndpoint(channel, call))];
  }
  const param = call.dialect.endpoint?.ownField?.(call.body);
  if (param !== undefined)
    throw new RelayError("invalid_request", `${param}: is not supported for the model ${call.model}`, { param });
  const why = `the model ${call.model} is not served on this endpoint (${call.dialect.name})`;
  throw new RelayError("invalid_request", why, { param: "model" });
}

/** Channels of the call's format first where it offers tools that the others lack; without the others where it requires them. */
function rankByTools(tiers: Tiers, call: RelayCall): Tiers {
  const own = call.dialect.getOwnTools?.(call.body);
  if (own === undefined) return tiers;
  const able = filterTiers(tiers, (channel) => hasFormat(channel, call));
  // If no channel has the tool, the conversion names it.
  if (own === "required") return able.length > 0 ? able : tiers;
  return [...able, ...filterTiers(tiers, (channel) => !hasFormat(channel, call))];
}

/** Those of the channels that may serve a call on its endpoint, by priority tier. Throws RelayError if there are none. */
export const findCandidates = (call: RelayCall, tiers: Tiers): Tiers =>
  call.dialect.endpoint ? filterByEndpoint(tiers, call) : rankByTools(tiers, call);

type ChooserDeps = { readonly chooser: Chooser; readonly options: () => OptionsInForce };

/**
 * The preferences of a call for its next channel. Where another model is tried after this error, channels that are known to fail are left
 * out, as they are while another channel serves the model.
 */
export function getPreferences(call: RelayCall, options: OptionsInForce, getError: () => unknown): RoutingPreferences {
  const preferences = getRoutingPreferences(call, options);
  return call.route?.isRetried(getError()) === true ? { ...preferences, isHealthyOnly: true } : preferences;
}

/** Chooses the first channel of a call and records it in `call.tried`. Throws no_available_channel. */
export function chooseFirst({ chooser, options }: ChooserDeps, call: RelayCall, tiers: Tiers): Choice {
  const getError = (): RelayError =>
    new RelayError("no_available_channel", `no channel serves the model ${call.model} right now`);
  const first = chooser.choose(tiers, [], getPreferences(call, options(), getError));
  if (!first) throw getError();
  call.tried.push(first);
  return first;
}
