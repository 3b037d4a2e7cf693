import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { Redis } from "@turnpike/shared/redis/redis";

/** A cached response: the exact bytes sent to the caller, and the usage. */
export type CachedResponse = {
  readonly contentType: string;
  readonly body: Buffer;
  readonly usage: TokenUsage;
  readonly estimated: boolean;
};

const HEX_OF_SLOT = 12;
const NEWLINE = 10;

/**
 * Parses a stored entry, whose metadata is on the second line. Undefined for an entry of another call or in another
 * format.
 */
function read(bytes: Buffer, id: string): CachedResponse | undefined {
  const idEnd = bytes.indexOf(NEWLINE);
  const factsEnd = bytes.indexOf(NEWLINE, idEnd + 1);
  if (idEnd < 0 || factsEnd < 0 || bytes.toString("latin1", 0, idEnd) !== id) return undefined;
  try {
    const facts = JSON.parse(bytes.toString("utf8", idEnd + 1, factsEnd)) as Omit<CachedResponse, "body">;
    return { ...facts, body: bytes.subarray(factsEnd + 1) };
  } catch {
    return undefined;
  }
}

export type CachedResponses = ReturnType<typeof createCachedResponses>;

/**
 * Response cache in Redis. Each response is stored in the slot given by its call's digest; a newer response replaces an
 * older one, so the number of entries never exceeds the number of slots. Readers compare the whole digest.
 */
export function createCachedResponses(redis: Pick<Redis, "getBuffer" | "set">) {
  const getKey = (id: string, slots: number): string =>
    `answers:${Number.parseInt(id.slice(0, HEX_OF_SLOT), 16) % slots}`;
  return {
    /** Undefined also when Redis fails. */
    async find(id: string, slots: number): Promise<CachedResponse | undefined> {
      try {
        const bytes = await redis.getBuffer(getKey(id, slots));
        return bytes ? read(bytes, id) : undefined;
      } catch {
        return undefined;
      }
    },
    async keep(id: string, response: CachedResponse, rule: { slots: number; seconds: number }): Promise<void> {
      const { body, ...facts } = response;
      const bytes = Buffer.concat([Buffer.from(`${id}\n${JSON.stringify(facts)}\n`), body]);
      // A failed write only costs a cache miss.
      await redis.set(getKey(id, rule.slots), bytes, "EX", rule.seconds).catch(() => undefined);
    },
  };
}
