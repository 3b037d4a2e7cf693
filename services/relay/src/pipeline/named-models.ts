import { resolveAlias } from "@turnpike/contract/options/model-routes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { canCallModel, getAliases } from "../admission/model-access.ts";
import type { NamedModel } from "../core/call/dialect.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { FALLBACKS } from "./prepare/read/fallback-request.ts";

/** The models that a request names to fall back to, by the names that stand for them. */
function listNamedFallbacks({ dialect, fallbackModels = [], admitted }: RelayCall, options: OptionsInForce) {
  if (fallbackModels.length === 0) return [];
  const aliases = getAliases(options, admitted.caller.known.routes);
  const param = dialect.fallbackField ?? FALLBACKS;
  return fallbackModels.map((name): NamedModel => ({ model: resolveAlias(aliases, name), param }));
}

/**
 * Checks the other models that a request names as its own model is checked, before anything is sent or held: no caller may reach through
 * a field what the token or the group is refused. Models that run within the call (advisors) must be served to its group;
 * a fallback that is not is skipped in its turn. Throws model_not_allowed or model_not_found naming the field. A call that is
 * bound to a channel may use whatever that channel serves, as with its own model.
 */
export function checkNamedModels(call: RelayCall, table: RoutingTable, options: OptionsInForce): void {
  const { pinnedChannelId, caller } = call.admitted;
  if (pinnedChannelId !== undefined) return;
  const inside = call.dialect.getInnerModels?.(call.body) ?? [];
  for (const { model, param } of [...listNamedFallbacks(call, options), ...inside]) {
    if (!canCallModel(caller.known, table, model))
      throw new RelayError("model_not_allowed", `${param}: this token may not use the model ${model}`, { param });
    if (!table.knowsModel(model))
      throw new RelayError("model_not_found", `${param}: the model ${model} does not exist`, { param });
  }
  const missing = inside.find(({ model }) => table.tiers(call.group, model).length === 0);
  if (!missing) return;
  const { model, param } = missing;
  const message = `${param}: the group ${call.group} does not serve the model ${model}`;
  throw new RelayError("model_not_found", message, { param });
}
