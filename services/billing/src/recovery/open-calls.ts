import { openKey, parseOpenEntry, RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { OpenCall } from "@turnpike/shared/accounts/recovered-usage";

export type OpenCalls = ReturnType<typeof createOpenCalls>;

const SCAN_COUNT = 1_000;
const FIELDS_COUNT = 500;
const OPEN_KEY = /^open:\{(\d+)\}$/;

/** Open calls and relay heartbeats in Redis. Throws `unavailable` while Redis is down. */
export function createOpenCalls(deps: { redis: Redis; log: Logger }) {
  const { redis, log } = deps;
  /** SCAN ignores the client's key prefix: patterns need it and results include it. */
  const prefix = redis.options.keyPrefix ?? "";

  async function* users(): AsyncGenerator<number> {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, keys] = await withRedisErrors(() =>
        redis.scan(from, "MATCH", `${prefix}open:*`, "COUNT", SCAN_COUNT),
      );
      for (const key of keys) {
        const match = OPEN_KEY.exec(key.slice(prefix.length));
        if (match) yield Number(match[1]);
      }
      cursor = next;
    } while (cursor !== "0");
  }
  async function* readCallsOf(userId: number): AsyncGenerator<OpenCall> {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, fields] = await withRedisErrors(() => redis.hscan(openKey(userId), from, "COUNT", FIELDS_COUNT));
      for (let index = 0; index + 1 < fields.length; index += 2) {
        const [requestId = "", text = ""] = fields.slice(index, index + 2);
        const entry = parseOpenEntry(text);
        if (entry) yield { userId, requestId, entry };
        else log.error({ userId, requestId }, "open call in Redis is malformed");
      }
      cursor = next;
    } while (cursor !== "0");
  }
  return {
    /** Every open call, once or (while Redis rehashes) twice. */
    async *all(): AsyncGenerator<OpenCall> {
      for await (const userId of users()) yield* readCallsOf(userId);
    },
    /** The current state of those calls that are still open. */
    async stillOpen(calls: readonly OpenCall[]): Promise<OpenCall[]> {
      const texts = await withRedisErrors(() =>
        Promise.all(calls.map(({ userId, requestId }) => redis.hget(openKey(userId), requestId))),
      );
      return calls.flatMap((call, index) => {
        const entry = parseOpenEntry(texts[index] ?? "");
        return entry ? [{ ...call, entry }] : [];
      });
    },
    /** Relay ids with their last heartbeats, in unix ms. */
    async heartbeats(): Promise<Map<string, number>> {
      const pairs = await withRedisErrors(() => redis.zrange(RELAYS_KEY, "0", "-1", "WITHSCORES"));
      const beats = new Map<string, number>();
      for (let index = 0; index + 1 < pairs.length; index += 2) beats.set(pairs[index] ?? "", Number(pairs[index + 1]));
      return beats;
    },
    forgetRelay: (relayId: string): Promise<unknown> => withRedisErrors(() => redis.zrem(RELAYS_KEY, relayId)),
  };
}
