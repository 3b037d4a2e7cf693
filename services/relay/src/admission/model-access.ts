import type { RoutingTable } from "../routing/routing-table.ts";
import type { KnownToken } from "../core/call/caller.ts";

/**
 * Whether a token may call a model: by its full name, or, for channels with a prefix, by its name without the prefix.
 */
export const canCallModel = (
  { allowsModel }: Pick<KnownToken, "allowsModel">,
  { bareNames }: Pick<RoutingTable, "bareNames">,
  model: string,
): boolean => allowsModel(model) || bareNames(model).some(allowsModel);
