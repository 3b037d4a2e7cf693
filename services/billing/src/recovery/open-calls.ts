import { openKey, parseOpenEntry, RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import { CLAIM } from "@turnpike/shared/accounts/balance-scripts";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { defineScript } from "@turnpike/shared/redis/script";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { OpenCall } from "@turnpike/shared/accounts/recovered-usage";

export type OpenCalls = ReturnType<typeof createOpenCalls>;

const FIELDS_COUNT = 500;
const OPEN_KEY = /^open:\{(\d+)\}$/;

/** Open calls and relay heartbeats in Redis. Throws `unavailable` while Redis is down. */
export function createOpenCalls(deps: { redis: Redis; log: Logger }) {
  const { redis, log } = deps;
  const runClaim = defineScript(redis, CLAIM);
  async function* users(): AsyncGenerator<number> {
    const pages = scanKeys(redis, "open:*");
    for (;;) {
      const page = await withRedisErrors(() => pages.next());
      if (page.done === true) return;
      for (const key of page.value) {
        const match = OPEN_KEY.exec(key);
        if (match) yield Number(match[1]);
      }
    }
  }
  async function* readCalls(userId: number): AsyncGenerator<OpenCall> {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, fields] = await withRedisErrors(() => redis.hscan(openKey(userId), from, "COUNT", FIELDS_COUNT));
      for (let index = 0; index + 1 < fields.length; index += 2) {
        const [requestId = "", text = ""] = fields.slice(index, index + 2);
        const entry = parseOpenEntry(text);
        if (entry) yield { userId, requestId, entry };
        else log.error({ userId, requestId }, "open call in Redis malformed");
      }
      cursor = next;
    } while (cursor !== "0");
  }
  return {
    /** Every open call, once or (while Redis rehashes) twice. */
    async *all(): AsyncGenerator<OpenCall> {
      for await (const userId of users()) yield* readCalls(userId);
    },
    /** Claims those calls that are still open, for posting; returns them as they are now. */
    async claim(calls: readonly OpenCall[]): Promise<OpenCall[]> {
      const claimForUser = async (userId: number, userCalls: readonly OpenCall[]): Promise<OpenCall[]> => {
        const ids = userCalls.map(({ requestId }) => requestId);
        const texts = (await withRedisErrors(() => runClaim(1, openKey(userId), ...ids))) as (string | null)[];
        return userCalls.flatMap((call, index) => {
          const entry = parseOpenEntry(texts[index] ?? "");
          return entry ? [{ ...call, entry }] : [];
        });
      };
      const byUser = Map.groupBy(calls, ({ userId }) => userId);
      return (await Promise.all([...byUser].map(([userId, userCalls]) => claimForUser(userId, userCalls)))).flat();
    },
    /** Relay ids with their last heartbeats, in unix ms by the clock of Redis. */
    async heartbeats(): Promise<Map<string, number>> {
      const pairs = await withRedisErrors(() => redis.zrange(RELAYS_KEY, "0", "-1", "WITHSCORES"));
      const beats = new Map<string, number>();
      for (let index = 0; index + 1 < pairs.length; index += 2) beats.set(pairs[index] ?? "", Number(pairs[index + 1]));
      return beats;
    },
    forgetRelay: (relayId: string): Promise<unknown> => withRedisErrors(() => redis.zrem(RELAYS_KEY, relayId)),
  };
}
