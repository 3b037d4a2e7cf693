import { createHash, randomBytes } from "node:crypto";
import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import type { z } from "zod";

/** What a ticket is for, what it carries, and how long it lives. */
export type TicketKind<Payload> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  readonly lifeSeconds: number;
};
export type TicketStore = ReturnType<typeof createTicketStore>;

const TOKEN_BYTES = 32;

const toDigest = (token: string): string => createHash("sha256").update(token).digest("hex");
const keyOf = (kind: { readonly name: string }, token: string): string => `ticket:${kind.name}:${toDigest(token)}`;

function read<Payload>(kind: TicketKind<Payload>, text: string | null): Payload | undefined {
  if (text === null) return undefined;
  const result = kind.payload.safeParse(JSON.parse(text));
  return result.success ? result.data : undefined;
}

/**
 * Long random tokens, each good for one thing and a short time: reset links, OAuth states, half-finished sign-ins. Only their hash is kept.
 * Throws `unavailable` while Redis is away.
 */
export function createTicketStore(redis: Redis) {
  return {
    async issue<Payload>(kind: TicketKind<Payload>, payload: Payload): Promise<string> {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      await withRedisErrors(() => redis.set(keyOf(kind, token), JSON.stringify(payload), "EX", kind.lifeSeconds));
      return token;
    },
    /** Keeps a payload under a name of the caller's, such as the browser's; the one before ends. */
    put: <Payload>(kind: TicketKind<Payload>, name: string, payload: Payload): Promise<void> =>
      withRedisErrors(
        async () => void (await redis.set(keyOf(kind, name), JSON.stringify(payload), "EX", kind.lifeSeconds)),
      ),
    /** What the token carries, once: of two who come at the same time one gets it. */
    take: <Payload>(kind: TicketKind<Payload>, token: string): Promise<Payload | undefined> =>
      withRedisErrors(async () => (token === "" ? undefined : read(kind, await redis.getdel(keyOf(kind, token))))),
    /** What the token carries, which stays. */
    peek: <Payload>(kind: TicketKind<Payload>, token: string): Promise<Payload | undefined> =>
      withRedisErrors(async () => (token === "" ? undefined : read(kind, await redis.get(keyOf(kind, token))))),
    /** Marks something as used until the kind's time is over; false when it was already. */
    useOnce: (kind: { readonly name: string; readonly lifeSeconds: number }, token: string): Promise<boolean> =>
      withRedisErrors(async () => (await redis.set(keyOf(kind, token), "1", "EX", kind.lifeSeconds, "NX")) === "OK"),
  };
}
