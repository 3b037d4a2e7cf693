import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { Channel } from "@turnpike/proto/channel/v1/channel_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";

/** Channels that are looked through for failing ones, and shown at most. */
const LOOKED_THROUGH_MAX = 1_000;
const FAILING_MAX = 20;
const READ_AT_ONCE = 100;
/** A channel fails often from this share of failed calls on. */
const ERROR_RATE_BAD = 0.2;

const EVERY_CHANNEL = { idSort: false, tagMode: false, keyword: "", group: "", model: "", tag: "" };

const isFailing = ({ status, testError, health }: Channel): boolean => {
  if (status === CHANNEL_STATUS.autoDisabled) return true;
  if (status !== CHANNEL_STATUS.enabled) return false;
  return testError !== "" || health?.state === "open" || (health?.errorRate ?? 0) >= ERROR_RATE_BAD;
};

/**
 * Enabled channels that fail often, are skipped or failed their last test, and those that the system disabled: the first
 * twenty of the first thousand by priority.
 */
export async function readFailingChannels(
  { channels }: Pick<Services, "channels">,
  call: CallOptions,
): Promise<readonly Channel[]> {
  const all: Channel[] = [];
  for (let page = 0; all.length < LOOKED_THROUGH_MAX; page++) {
    const found = await channels.listChannels({ ...EVERY_CHANNEL, page, pageSize: READ_AT_ONCE }, call);
    all.push(...found.items);
    if (found.items.length < READ_AT_ONCE) break;
  }
  return all.filter(isFailing).slice(0, FAILING_MAX);
}
