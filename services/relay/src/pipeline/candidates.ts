import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { canCallModel } from "../admission/model-access.ts";
import type { Choice, Tiers } from "../core/call/channel.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import { getRoutingPreferences } from "../routing/routing-preferences.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { hasEndpoint, serves } from "./prepare/request-preparation.ts";

/** The channels that may serve a call, in tiers; throws the caller's error or no_available_channel. */
export function findTiers(call: RelayCall, table: RoutingTable): Tiers {
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
  if (tiers.length > 0) return tiers;
  if (!table.knowsModel(call.model))
    throw new RelayError("model_not_found", `the model ${call.model} does not exist`, { param: "model" });
  throw new RelayError(
    "no_available_channel",
    `no channel of the group ${call.group} serves the model ${call.model} right now`,
  );
}

/** The candidates that serve the endpoint. Throws invalid_request if there are none: a retry would not help. */
function filterByEndpoint(tiers: Tiers, call: RelayCall): Tiers {
  const among = (fits: typeof serves): Tiers =>
    tiers.map((tier) => tier.filter((channel) => fits(channel, call))).filter((tier) => tier.length > 0);
  const own = call.dialect.endpoint?.isPartialOverChat?.(call.body) ? among(hasEndpoint) : [];
  const served = own.length > 0 ? own : among(serves);
  if (served.length > 0) return served;
  const param = call.dialect.endpoint?.ownField?.(call.body);
  if (param !== undefined)
    throw new RelayError("invalid_request", `${param}: is not supported for the model ${call.model}`, { param });
  const why = `the model ${call.model} is not served on this endpoint (${call.dialect.name})`;
  throw new RelayError("invalid_request", why, { param: "model" });
}

/** The channels that may serve a call on its endpoint, by priority tier. Throws RelayError if there are none. */
export function findCandidates(call: RelayCall, table: RoutingTable): Tiers {
  const tiers = findTiers(call, table);
  return call.dialect.endpoint ? filterByEndpoint(tiers, call) : tiers;
}

type ChooserDeps = { readonly chooser: Chooser; readonly options: () => OptionsInForce };

/** Chooses the first channel of a call and records it in `call.tried`. Throws no_available_channel. */
export function chooseFirst({ chooser, options }: ChooserDeps, call: RelayCall, tiers: Tiers): Choice {
  const first = chooser.choose(tiers, [], getRoutingPreferences(call, options()));
  if (!first) throw new RelayError("no_available_channel", `no channel serves the model ${call.model} right now`);
  call.tried.push(first);
  return first;
}
