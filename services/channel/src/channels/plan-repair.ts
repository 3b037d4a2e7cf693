import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { isDeepStrictEqual } from "node:util";
import { NEW_CHANNEL } from "./channel-fields.ts";
import { keysInUse } from "./channel-keys.ts";
import type { ChannelDoc } from "./channel-model.ts";
import type { ChannelWrite } from "./channel-store.ts";

const STATUSES: readonly number[] = Object.values(CHANNEL_STATUS);
const NO_KEY_LEFT = "no key is in use";

const withoutRepeats = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== "")),
];

/** The status that fits the keys: an enabled channel needs an enabled key. */
function repairStatus({ status, statusReason, statusAtSeconds, keys }: ChannelDoc) {
  if (!STATUSES.includes(status)) return { status: CHANNEL_STATUS.disabled, statusReason, statusAtSeconds };
  if (status !== CHANNEL_STATUS.enabled) return { status, statusReason, statusAtSeconds };
  if (keysInUse(keys).length > 0) return { status, statusReason: "", statusAtSeconds: 0 };
  const since = Math.max(0, ...keys.map((key) => key.disabledAtSeconds));
  return { status: CHANNEL_STATUS.autoDisabled, statusReason: statusReason || NO_KEY_LEFT, statusAtSeconds: since };
}

/**
 * Repairs a stored channel by the store's own rules; undefined when it is valid: lists without blanks and duplicates,
 * each key once, at least one group, a known status that fits the keys.
 */
export function planRepair(doc: ChannelDoc): ChannelWrite | undefined {
  const groups = withoutRepeats(doc.groups);
  const repaired: ChannelWrite = {
    models: withoutRepeats(doc.models),
    groups: groups.length === 0 ? NEW_CHANNEL.groups : groups,
    keys: [...new Map(doc.keys.toReversed().map((key) => [key.lookupHash, key])).values()].toReversed(),
    ...repairStatus(doc),
  };
  const changed = Object.entries(repaired).filter(
    ([field, value]) => !isDeepStrictEqual(value, doc[field as keyof ChannelDoc]),
  );
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as ChannelWrite);
}
