import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { haveMoved, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";

/** A relay's word that a key is unfit; the index counts in the routing snapshot that the relay had. */
export type Failure = { readonly keyIndex: number; readonly reason: string };
export type Disabling = Pick<ChannelDoc, "keys" | "keysMovedAtMs" | "status" | "statusReason" | "statusAtSeconds">;

/** Relays have a change within a second; until this long after one, an index may count by the list before it. */
const SETTLE_MS = 5_000;

/**
 * What an unfit key changes: the key is out of use and, when it was the last one, the channel is disabled. Undefined when nothing
 * may change: the channel is off already, may not be disabled, or the index could mean another key.
 */
export function planDisabling(channel: ChannelDoc, failure: Failure, nowMs: number): Disabling | undefined {
  if (channel.status !== CHANNEL_STATUS.enabled || !channel.autoBan) return undefined;
  if (nowMs - channel.keysMovedAtMs < SETTLE_MS) return undefined;
  const unfit = keysInUse(channel.keys)[failure.keyIndex];
  if (!unfit) return undefined;
  const atSeconds = Math.floor(nowMs / 1000);
  const keys = channel.keys.map((key) =>
    key === unfit ? { ...key, disabledReason: failure.reason, disabledAtSeconds: atSeconds } : key,
  );
  const keysMovedAtMs = haveMoved(channel.keys, keys) ? nowMs : channel.keysMovedAtMs;
  if (keysInUse(keys).length > 0)
    return { keys, keysMovedAtMs, status: channel.status, statusReason: "", statusAtSeconds: 0 };
  return {
    keys,
    keysMovedAtMs,
    status: CHANNEL_STATUS.autoDisabled,
    statusReason: failure.reason,
    statusAtSeconds: atSeconds,
  };
}
