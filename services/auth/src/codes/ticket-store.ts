import { createHash, randomBytes } from "node:crypto";
import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { z } from "zod";

/** A ticket's purpose, payload and lifetime. */
export type TicketKind<Payload> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  readonly lifeSeconds: number;
};
export type TicketStore = ReturnType<typeof createTicketStore>;

const TOKEN_BYTES = 32;

const toDigest = (token: string): string => createHash("sha256").update(token).digest("hex");
const toKey = (kind: { readonly name: string }, token: string): string => `ticket:${kind.name}:${toDigest(token)}`;

function read<Payload>(kind: TicketKind<Payload>, text: string | null): Payload | undefined {
  if (text === null) return undefined;
  const result = kind.payload.safeParse(JSON.parse(text));
  return result.success ? result.data : undefined;
}

/**
 * Long random single-purpose, short-lived tokens: reset links, OAuth states, pending sign-ins. Only their hash is
 * stored. Throws `unavailable` while Redis is down.
 */
export function createTicketStore(redis: Redis) {
  return {
    async issue<Payload>(kind: TicketKind<Payload>, payload: Payload): Promise<string> {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      await withRedisErrors(() => redis.set(toKey(kind, token), JSON.stringify(payload), "EX", kind.lifeSeconds));
      return token;
    },
    /** Stores a payload under a name chosen by the caller, such as the browser's; replaces the previous one. */
    put: <Payload>(kind: TicketKind<Payload>, name: string, payload: Payload): Promise<void> =>
      withRedisErrors(
        async () => void (await redis.set(toKey(kind, name), JSON.stringify(payload), "EX", kind.lifeSeconds)),
      ),
    /** Consumes the token and returns its payload; of two concurrent calls only one gets it. */
    take: <Payload>(kind: TicketKind<Payload>, token: string): Promise<Payload | undefined> =>
      withRedisErrors(async () => (token === "" ? undefined : read(kind, await redis.getdel(toKey(kind, token))))),
    /** Returns the token's payload without consuming it. */
    peek: <Payload>(kind: TicketKind<Payload>, token: string): Promise<Payload | undefined> =>
      withRedisErrors(async () => (token === "" ? undefined : read(kind, await redis.get(toKey(kind, token))))),
    /** Marks a value as used for the kind's lifetime; false when it was already used. */
    useOnce: (kind: { readonly name: string; readonly lifeSeconds: number }, token: string): Promise<boolean> =>
      withRedisErrors(async () => (await redis.set(toKey(kind, token), "1", "EX", kind.lifeSeconds, "NX")) === "OK"),
  };
}
