import { createHash } from "node:crypto";
import type { Redis } from "@turnpike/shared/redis/redis";

/** A response that is continued later than this counts without its context, if its continuation reports no usage. */
const SECONDS_MAX = 7 * 24 * 3600;
const DIGEST_BYTES = 16;

export type ContextTokens = ReturnType<typeof createContextTokens>;

/** By the sealed id, which contains user and account. */
const getKey = (sealedId: string): string =>
  `context-tokens:${createHash("sha256").update(sealedId).digest().subarray(0, DIGEST_BYTES).toString("base64url")}`;

/**
 * The total tokens of stored responses: what upstream reads again when a call continues one. Needed for the charge of such a call
 * whose client disconnects before usage is reported; its own request holds the new input alone.
 */
export function createContextTokens(redis: Pick<Redis, "get" | "set">) {
  return {
    /** Not awaited: without it the continuation counts as before. */
    keep(sealedId: string, tokens: number): void {
      void redis.set(getKey(sealedId), String(tokens), "EX", SECONDS_MAX).catch(() => undefined);
    },
    /** 0 if unknown, or if Redis fails. */
    async find(sealedId: string): Promise<number> {
      const tokens = Number(await redis.get(getKey(sealedId)).catch(() => null));
      return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
    },
  };
}
