import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { Redis } from "@turnpike/shared/redis/redis";

/** An answer as it went to its caller, byte by byte, and what it had used. */
export type CachedResponse = {
  readonly contentType: string;
  readonly body: Buffer;
  readonly usage: TokenUsage;
  readonly estimated: boolean;
};

const HEX_OF_SLOT = 12;
const NEWLINE = 10;

/** What is left of a written answer: its facts on the second line. Undefined for one of another call, or of another form. */
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
 * Answers in Redis, each in the slot that its call's digest falls into: a newer answer takes the place of an older one, so that there
 * are never more than slots. Whoever reads a slot compares the whole digest.
 */
export function createCachedResponses(redis: Pick<Redis, "getBuffer" | "set">) {
  const keyOf = (id: string, slots: number): string =>
    `answers:${Number.parseInt(id.slice(0, HEX_OF_SLOT), 16) % slots}`;
  return {
    /** Undefined also when Redis does not say. */
    async find(id: string, slots: number): Promise<CachedResponse | undefined> {
      try {
        const bytes = await redis.getBuffer(keyOf(id, slots));
        return bytes ? read(bytes, id) : undefined;
      } catch {
        return undefined;
      }
    },
    async keep(id: string, answer: CachedResponse, rule: { slots: number; seconds: number }): Promise<void> {
      const { body, ...facts } = answer;
      const bytes = Buffer.concat([Buffer.from(`${id}\n${JSON.stringify(facts)}\n`), body]);
      // An answer that is not kept is asked for again.
      await redis.set(keyOf(id, rule.slots), bytes, "EX", rule.seconds).catch(() => undefined);
    },
  };
}
