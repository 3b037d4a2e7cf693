import { openKey, parseOpenEntry, SIGNING_RELAY } from "@turnpike/shared/accounts/account-keys";
import { parseOpenCallDetails } from "@turnpike/shared/accounts/recovered-usage";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Collections } from "../store/collections.ts";
import type { UsageApplier, UsageMessage } from "./usage-applier.ts";

const FIND_TIMEOUT_MS = 5_000;

const RETRY_MS = 1_000;

/**
 * Applies messages of the install's services, and dead-letters messages of other publishers. Signed messages are accepted as they
 * are. Relays of the version before do not sign: of their messages, a record counts when Redis, which strangers on NATS cannot write,
 * has the call as one of such a relay, with the same cost; a signed record of the call still replaces it. No unsigned record counts
 * for a call of a relay that signs, so none is accepted once all relays are of this version. A record that is posted already is
 * dropped, any other is unreadable. Throws `unavailable` while Redis is down.
 */
export function createUsageAuthentication(deps: {
  redis: Redis;
  collections: Pick<Collections, "logs">;
  apply: UsageApplier;
  log: Logger;
}): UsageApplier {
  const isKnownCall = async ({ userId, requestId, type, quota, released }: UsageRecord): Promise<boolean> => {
    if (released === true || type !== 2) return false;
    const text = await withRedisErrors(() => deps.redis.hget(openKey(userId), requestId));
    const entry = parseOpenEntry(text ?? "");
    if (!entry || entry.relayId.endsWith(SIGNING_RELAY)) return false;
    // A settlement may have failed in Redis; the prompt is the least that the call costs.
    return entry.settled ? entry.amount === quota : quota >= (parseOpenCallDetails(entry).q ?? entry.amount);
  };
  const isPosted = async ({ requestId }: UsageRecord): Promise<boolean> =>
    (await deps.collections.logs.countDocuments({ requestId }, { limit: 1, maxTimeMS: FIND_TIMEOUT_MS })) > 0;

  const authenticate = async (message: UsageMessage): Promise<UsageMessage> => {
    if (message.isSigned) return message;
    const accepted: UsageRecord[] = [];
    const refused: { payload: string; reason: string }[] = [];
    for (const record of message.records) {
      if (await isKnownCall(record)) accepted.push({ ...record, unsigned: true });
      else if (!(await isPosted(record)))
        refused.push({
          payload: JSON.stringify(record),
          reason: "no valid signature, and Redis does not have the call of a relay that does not sign",
        });
    }
    return { ...message, records: accepted, unreadable: [...message.unreadable, ...refused] };
  };

  return async function applyAuthenticated(messages) {
    let authenticated: readonly UsageMessage[];
    try {
      authenticated = await Promise.all(messages.map(authenticate));
    } catch (error) {
      deps.log.warn({ err: error }, "usage messages could not be authenticated, will be redelivered");
      return messages.forEach((message) => message.retryAfter(RETRY_MS));
    }
    return deps.apply(authenticated);
  };
}
