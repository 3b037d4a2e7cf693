import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";

/** A relay's report that a key is unusable or, with `isWhole`, the channel with all its keys. */
export type Failure = { readonly keyHash: string; readonly reason: string; readonly isWhole?: boolean };
export type Disabling = Pick<ChannelDoc, "keys" | "status" | "statusReason" | "statusAtSeconds">;

/**
 * The change for an unusable key: the key is disabled and, if it was the last one, so is the channel. A channel that
 * fails with any key is disabled with its keys unchanged, so that one that works re-enables them all. Undefined when
 * nothing changes: the channel is already disabled or may not be, or the key is missing or disabled.
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
