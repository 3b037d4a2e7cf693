import {
  type FallbackCause,
  listFallbacks,
  type ModelFallbacks,
  resolveAlias,
} from "@turnpike/contract/options/model-routes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Exchange, HandleCall } from "../../core/call/exchange.ts";
import type { ModelRoute, RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { canCallModel, getAliases } from "../../admission/model-access.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { estimatePrompt } from "../prepare/read/call-reader.ts";
import { patchBody, withBody } from "../../core/call/call-body.ts";
import { getFallbackCause, selectError } from "./fallback-cause.ts";

type Deps = { readonly options: () => OptionsInForce; readonly table: () => RoutingTable };

/**
 * The fallbacks that the token or the site has for the requested name. Those that the token may not use, or that its group is not
 * served, are left out: the caller did not name them.
 */
function listConfigured(call: RelayCall, { options, table }: Deps): readonly string[] {
  const { caller, pinnedChannelId } = call.admitted;
  const { known } = caller;
  const ofSite = options().json<ModelFallbacks>("ModelFallbacks");
  const fallbacks = known.routes ? { ...ofSite, ...known.routes.fallbacks } : ofSite;
  const aliases = getAliases(options(), known.routes);
  const found = listFallbacks({ aliases, fallbacks }, call.model);
  if (pinnedChannelId !== undefined) return found;
  return found.filter((model) => canCallModel(known, table(), model) && table().tiers(call.group, model).length > 0);
}

/** The models of a call in the order in which they are tried; undefined if that is the requested one alone. */
function listModels(call: RelayCall, deps: Deps): readonly string[] | undefined {
  const aliases = getAliases(deps.options(), call.admitted.caller.known.routes);
  const first = resolveAlias(aliases, call.model);
  const others = call.fallbackModels?.map((model) => resolveAlias(aliases, model)) ?? listConfigured(call, deps);
  return others.length === 0 && first === call.model ? undefined : [...new Set([first, ...others])];
}

/** The call for another model: the body names it wherever it named the requested one. */
function toModelCall(call: RelayCall, model: string, route: ModelRoute): RelayCall {
  const { dialect } = call;
  const changed = { ...call, model, route, tried: [], firstByteAtMs: undefined };
  if (model === call.model) return changed;
  // Endpoints and forms get the model's name when the request is prepared.
  const isNamedInBody = !(dialect.endpoint || dialect.namesModelInPath || call.form);
  const estimated = { ...changed, estimatePromptTokens: estimatePrompt(dialect, call.body, model) };
  return isNamedInBody ? patchBody(estimated, { model }) : withBody(estimated, call.body, call.bodyText);
}

async function serveInTurn(
  serve: HandleCall,
  { call, exchange }: { readonly call: RelayCall; readonly exchange: Exchange },
  models: readonly string[],
  causes: readonly FallbackCause[],
): Promise<void> {
  const last = models.length - 1;
  let attempts = 0;
  let failure: RelayError | undefined;
  for (let index = 0; ; index++) {
    const model = models[index] ?? call.model;
    const isRetried = (error: unknown): boolean => {
      const cause = getFallbackCause(error);
      return index < last && cause !== undefined && causes.includes(cause) && !exchange.isDisconnected();
    };
    const route = { requestedModel: call.model, earlierAttempts: attempts, isRetried };
    const attempted = toModelCall(call, model, route);
    try {
      return await serve(attempted, exchange);
    } catch (error) {
      const selected = selectError(failure, error);
      if (!isRetried(error) || !(selected instanceof RelayError)) throw selected;
      failure = selected;
    } finally {
      // A model without an available channel counts, too: a number above one shows that the first model did not serve the call.
      attempts += Math.max(1, attempted.tried.length);
      call.tried.push(...attempted.tried);
      call.firstByteAtMs = attempted.firstByteAtMs;
    }
  }
}

/**
 * Serves a call with the model that its name stands for, and with the next model where one fails by a cause of the option
 * FallbackCauses before the first byte (docs/model-api.md, "Another model"). Each model has its own channels, hold and
 * price, and must be allowed to the caller. The models after the first are those that the request names, else the token's, else the site's.
 */
export function withFallbackModels(serve: HandleCall, deps: Deps): HandleCall {
  return (call, exchange) => {
    const models = listModels(call, deps);
    if (models === undefined) return serve(call, exchange);
    const ofSite = deps.options().json<readonly FallbackCause[]>("FallbackCauses");
    return serveInTurn(serve, { call, exchange }, models, call.admitted.caller.known.routes?.causes ?? ofSite);
  };
}
