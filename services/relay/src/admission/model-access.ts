import type { ModelAliases } from "@turnpike/contract/options/model-routes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RoutingTable } from "../routing/routing-table.ts";
import type { KnownToken, TokenRoutes } from "../core/call/caller.ts";

/**
 * Whether a token may call a model: by its full name, or, for channels with a prefix, by its name without the prefix.
 */
export const canCallModel = (
  { allowsModel }: Pick<KnownToken, "allowsModel">,
  { bareNames }: Pick<RoutingTable, "bareNames">,
  model: string,
): boolean => allowsModel(model) || bareNames(model).some(allowsModel);

/** The names that stand for models in calls with a token: the token's own, then the site's. */
export function getAliases(options: OptionsInForce, routes: TokenRoutes | undefined): ModelAliases {
  const ofSite = options.json<ModelAliases>("ModelAliases");
  return routes ? { ...ofSite, ...routes.aliases } : ofSite;
}
