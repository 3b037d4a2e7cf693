import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { ChannelInput } from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isDeepStrictEqual } from "node:util";
import { applyInput } from "./channel-fields.ts";
import { reenableKey } from "./channel-keys.ts";
import type { ChannelDoc, ChannelKey } from "./channel-model.ts";
import type { ChannelWrite } from "./channel-store.ts";

/**
 * The status an admin requests; automatically disabled cannot be requested, but may stay. Throws
 * channel_status_invalid.
 */
export function readStatus(requested: number | undefined, current: number): number {
  if (requested === undefined || requested === current) return current;
  if (requested === CHANNEL_STATUS.enabled || requested === CHANNEL_STATUS.disabled) return requested;
  throw new AppError("channel_status_invalid", `status ${requested} cannot be set`);
}

/**
 * The write that enables or disables a channel; undefined when nothing changes. Enabling re-enables all keys and clears
 * the reason.
 */
export function planSwitch(current: ChannelDoc, status: 1 | 2): ChannelWrite | undefined {
  if (current.status === status) return undefined;
  if (status === CHANNEL_STATUS.disabled) return { status };
  return { status, keys: reenableKey(current.keys), statusReason: "", statusAtSeconds: 0 };
}

/** Equal in both: encryption is randomized, so keys are compared by their hashes. */
function isSameKeys(a: readonly ChannelKey[], b: readonly ChannelKey[]): boolean {
  const facts = (keys: readonly ChannelKey[]) =>
    keys.map(({ lookupHash, disabledAtSeconds }) => [lookupHash, disabledAtSeconds]);
  return isDeepStrictEqual(facts(a), facts(b));
}

/**
 * The write of an admin's edit; undefined when nothing changes. New keys start enabled, and enabling a channel
 * re-enables all its keys and clears the reason.
 */
export function planEdit(
  current: ChannelDoc,
  input: ChannelInput,
  newKeys: readonly ChannelKey[] | undefined,
): ChannelWrite | undefined {
  const status = readStatus(input.status, current.status);
  const isSwitchedOn = status === CHANNEL_STATUS.enabled && current.status !== CHANNEL_STATUS.enabled;
  const nextKeys = newKeys ?? (isSwitchedOn ? reenableKey(current.keys) : current.keys);
  const keys = isSameKeys(nextKeys, current.keys) ? current.keys : [...nextKeys];
  const write: ChannelWrite = {
    ...applyInput(current, input),
    status,
    keys,
    ...(isSwitchedOn ? { statusReason: "", statusAtSeconds: 0 } : {}),
  };
  const changed = Object.entries(write).filter(
    ([field, value]) => !isDeepStrictEqual(value, current[field as keyof ChannelDoc]),
  );
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as ChannelWrite);
}
