import { isGroupUsable, type OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Admitted } from "../core/call/caller.ts";

/**
 * Throws group_not_allowed if the token's group was closed to its user after the token was created, or no longer has a
 * ratio. Calls pinned to a channel have no group.
 */
export function checkGroup({ caller, pinnedChannelId }: Admitted, options: OptionsInForce): void {
  const { group } = caller.known.token;
  if (group === "" || pinnedChannelId !== undefined) return;
  if (!isGroupUsable(options, caller.principal.group, group))
    throw new RelayError("group_not_allowed", `the group ${group} of this token is not open to its user`);
  if (!Object.hasOwn(options.json<Record<string, number>>("GroupRatio"), group))
    throw new RelayError("group_not_allowed", `the group ${group} of this token has no ratio`);
}
