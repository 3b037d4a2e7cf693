import { isGroupUsable, type OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../core/errors/relay-error.ts";
import { getGroupRatio, getPriceTables } from "../accounting/holds/meters/call-price.ts";
import { type Admitted, getGroup } from "../core/call/caller.ts";

/**
 * Throws group_not_allowed if the group of a call has no ratio, or if the token's group was closed to its user after the token was
 * created. Calls pinned to a channel may be of a closed group.
 */
export function checkGroup(admitted: Admitted, options: OptionsInForce): void {
  const { caller, pinnedChannelId } = admitted;
  getGroupRatio({ group: getGroup(admitted), admitted }, getPriceTables(options));
  const { group } = caller.known.token;
  if (group === "" || pinnedChannelId !== undefined) return;
  if (!isGroupUsable(options, caller.principal.group, group))
    throw new RelayError("group_not_allowed", `the group ${group} of this token is not open to its user`);
}
