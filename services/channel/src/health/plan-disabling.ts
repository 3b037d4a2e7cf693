import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";

/** A relay's word that a key is unfit. */
export type Failure = { readonly keyHash: string; readonly reason: string };
export type Disabling = Pick<ChannelDoc, "keys" | "status" | "statusReason" | "statusAtSeconds">;

/**
 * What an unfit key changes: the key is out of use and, when it was the last one, the channel is disabled. Undefined when nothing
 * may change: the channel is off already or may not be disabled, or the key is gone or out of use.
 */
export function planDisabling(channel: ChannelDoc, failure: Failure, atSeconds: number): Disabling | undefined {
  if (channel.status !== CHANNEL_STATUS.enabled || !channel.autoBan) return undefined;
  const unfit = keysInUse(channel.keys).find(({ lookupHash }) => lookupHash === failure.keyHash);
  if (!unfit) return undefined;
  const keys = channel.keys.map((key) =>
    key === unfit ? { ...key, disabledReason: failure.reason, disabledAtSeconds: atSeconds } : key,
  );
  if (keysInUse(keys).length > 0) return { keys, status: channel.status, statusReason: "", statusAtSeconds: 0 };
  return { keys, status: CHANNEL_STATUS.autoDisabled, statusReason: failure.reason, statusAtSeconds: atSeconds };
}
