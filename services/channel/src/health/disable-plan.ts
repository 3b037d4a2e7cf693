import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";

/** A relay's word that a key is unfit or, with `isWhole`, the channel with all its keys. */
export type Failure = { readonly keyHash: string; readonly reason: string; readonly isWhole?: boolean };
export type Disabling = Pick<ChannelDoc, "keys" | "status" | "statusReason" | "statusAtSeconds">;

/**
 * What an unfit key changes: the key is out of use and, when it was the last one, the channel is disabled. A channel that fails by any
 * key is disabled with its keys left as they are, so that one that works brings them all back. Undefined when nothing
 * may change: the channel is off already or may not be disabled, or the key is gone or out of use.
 */
export function planDisable(channel: ChannelDoc, failure: Failure, atSeconds: number): Disabling | undefined {
  if (channel.status !== CHANNEL_STATUS.enabled || !channel.autoBan) return undefined;
  const unfit = keysInUse(channel.keys).find(({ lookupHash }) => lookupHash === failure.keyHash);
  if (!unfit) return undefined;
  const off = { status: CHANNEL_STATUS.autoDisabled, statusReason: failure.reason, statusAtSeconds: atSeconds };
  if (failure.isWhole === true) return { keys: channel.keys, ...off };
  const keys = channel.keys.map((key) =>
    key === unfit ? { ...key, disabledReason: failure.reason, disabledAtSeconds: atSeconds } : key,
  );
  if (keysInUse(keys).length > 0) return { keys, status: channel.status, statusReason: "", statusAtSeconds: 0 };
  return { keys, ...off };
}
