import { createHash, randomBytes } from "node:crypto";
import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";
import { z } from "zod";

const SessionRecord = z.object({
  userId: z.number().int(),
  /** The user's sessionEpoch when the session was opened; the session has ended when the user's epoch is higher. */
  epoch: z.number().int(),
  createdAtSeconds: z.number().int(),
  seenAtSeconds: z.number().int(),
  address: z.string(),
  userAgent: z.string(),
});
export type SessionRecord = z.infer<typeof SessionRecord>;
export type FoundSession = { readonly hash: string; readonly record: SessionRecord };
export type SessionStore = ReturnType<typeof createSessionStore>;

const LIFE_SECONDS = 30 * 24 * 3600;
/** Granularity of the sliding 30-day expiry, so that most calls only read. */
const TOUCH_AFTER_SECONDS = 3600;
const SESSIONS_PER_USER_MAX = 100;
const ID_BYTES = 32;

const toSessionKey = (hash: string): string => `session:${hash}`;
const toUserKey = (userId: number): string => `sessions-of:{${userId}}`;

/** The id's SHA-256, which identifies a session without its id. */
export const hashSessionId = (sessionId: string): string => createHash("sha256").update(sessionId).digest("hex");

function readRecord(text: string | null): SessionRecord | undefined {
  if (text === null) return undefined;
  const result = SessionRecord.safeParse(JSON.parse(text));
  return result.success ? result.data : undefined;
}

type Deps = { readonly redis: Redis; readonly nowSeconds: () => number };

/** The keys of a session: its record, and its place in the user's list. */
function createSessionKeys({ redis, nowSeconds }: Deps) {
  const write = (hash: string, record: SessionRecord): Promise<unknown> =>
    // XX: a concurrently ended session stays ended.
    redis.set(toSessionKey(hash), JSON.stringify(record), "EX", LIFE_SECONDS, "XX");
  const enlist = async (hash: string, userId: number): Promise<void> => {
    const set = toUserKey(userId);
    await redis.zadd(set, nowSeconds(), hash);
    await redis.expire(set, LIFE_SECONDS);
  };
  const dropSurplus = async (userId: number): Promise<void> => {
    const set = toUserKey(userId);
    await redis.zremrangebyscore(set, 0, nowSeconds() - LIFE_SECONDS);
    const surplus = await redis.zrange(set, "0", String(-SESSIONS_PER_USER_MAX - 1));
    for (const hash of surplus) await redis.del(toSessionKey(hash));
    if (surplus.length > 0) await redis.zrem(set, ...surplus);
  };
  const touch = async ({ hash, record }: FoundSession): Promise<void> => {
    await write(hash, { ...record, seenAtSeconds: nowSeconds() });
    await enlist(hash, record.userId);
  };
  return { write, enlist, dropSurplus, touch };
}

/** A user's sessions in Redis, by the user's list of them. */
function createUserSessions(redis: Redis) {
  return {
    /** A user's sessions in Redis, in no order; some may have ended with a change of the user. */
    list: (userId: number): Promise<FoundSession[]> =>
      withRedisErrors(async () => {
        const hashes = await redis.zrange(toUserKey(userId), "0", "-1");
        const texts = hashes.length === 0 ? [] : await Promise.all(hashes.map((hash) => redis.get(toSessionKey(hash))));
        return hashes.flatMap((hash, index) => {
          const record = readRecord(texts[index] ?? null);
          return record?.userId === userId ? [{ hash, record }] : [];
        });
      }),
    /** Ends one of a user's sessions by its hash; false when the user has no such session. */
    endOne: (userId: number, hash: string): Promise<boolean> =>
      withRedisErrors(async () => {
        const record = readRecord(await redis.get(toSessionKey(hash)));
        if (record?.userId !== userId) return false;
        await redis.del(toSessionKey(hash));
        await redis.zrem(toUserKey(userId), hash);
        return true;
      }),
    /** Removes a user's sessions except the named one. */
    endAll: (userId: number, survivingHash = ""): Promise<void> =>
      withRedisErrors(async () => {
        const hashes = (await redis.zrange(toUserKey(userId), "0", "-1")).filter((hash) => hash !== survivingHash);
        for (const hash of hashes) await redis.del(toSessionKey(hash));
        if (hashes.length > 0) await redis.zrem(toUserKey(userId), ...hashes);
      }),
  };
}

/** The only file that accesses sessions in Redis. Every call throws `unavailable` while Redis is down. */
export function createSessionStore(deps: Deps) {
  const { redis, nowSeconds } = deps;
  const { write, enlist, dropSurplus, touch } = createSessionKeys(deps);
  return {
    /**
     * Opens a session and returns its id, which is not stored. Beyond a hundred sessions, the user's oldest are
     * removed.
     */
    open: (about: Pick<SessionRecord, "userId" | "epoch" | "address" | "userAgent">) =>
      withRedisErrors(async () => {
        const sessionId = randomBytes(ID_BYTES).toString("base64url");
        const hash = hashSessionId(sessionId);
        const record: SessionRecord = { ...about, createdAtSeconds: nowSeconds(), seenAtSeconds: nowSeconds() };
        await redis.set(toSessionKey(hash), JSON.stringify(record), "EX", LIFE_SECONDS);
        await enlist(hash, about.userId);
        await dropSurplus(about.userId);
        return { sessionId, expiresAtSeconds: nowSeconds() + LIFE_SECONDS };
      }),
    /** The session of an id, extended by another 30 days; undefined when it ended or never existed. */
    find: (sessionId: string): Promise<FoundSession | undefined> =>
      withRedisErrors(async () => {
        const hash = hashSessionId(sessionId);
        const record = readRecord(await redis.get(toSessionKey(hash)));
        if (!record) return undefined;
        if (nowSeconds() - record.seenAtSeconds >= TOUCH_AFTER_SECONDS) await touch({ hash, record });
        return { hash, record };
      }),
    /** Ends one session; an unknown one is ignored. */
    end: (sessionId: string): Promise<void> =>
      withRedisErrors(async () => {
        const hash = hashSessionId(sessionId);
        const record = readRecord(await redis.getdel(toSessionKey(hash)));
        if (record) await redis.zrem(toUserKey(record.userId), hash);
      }),
    /** Moves one session to the user's new epoch. */
    carryOver: ({ hash, record }: FoundSession, epoch: number): Promise<void> =>
      withRedisErrors(async () => void (await write(hash, { ...record, epoch }))),
    ...createUserSessions(redis),
  };
}
