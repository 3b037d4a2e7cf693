import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";

/** The purpose and subject of a code. */
export type CodeSubject = { readonly purpose: string; readonly subject: string };
export type CodeStore = ReturnType<typeof createCodeStore>;

/**
 * Compares and consumes atomically: a correct code is deleted, a wrong one costs an attempt, the last attempt deletes
 * the code.
 */
const TAKE = `
local digest = redis.call('HGET', KEYS[1], 'digest')
if not digest then return 0 end
if digest == ARGV[1] then
  redis.call('DEL', KEYS[1])
  return 1
end
if redis.call('HINCRBY', KEYS[1], 'triesLeft', -1) <= 0 then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Short codes that users type. Only a keyed hash is stored; a code is single-use, valid for its subject only, and
 * expires after a few wrong attempts. Throws `unavailable` while Redis is down.
 */
export function createCodeStore(deps: { redis: Redis; lookupHash: (secret: string) => string }) {
  const { redis, lookupHash } = deps;
  const toKey = ({ purpose, subject }: CodeSubject): string => `code:${purpose}:${lookupHash(subject).slice(0, 32)}`;
  const toDigest = ({ purpose, subject }: CodeSubject, code: string): string =>
    lookupHash(`code\n${purpose}\n${subject}\n${code}`);
  return {
    /** Stores a code; replaces an older one for the same subject. */
    put: (about: CodeSubject, code: string, rules: { lifeSeconds: number; triesMax: number }): Promise<void> =>
      withRedisErrors(async () => {
        const key = toKey(about);
        const fields = { digest: toDigest(about, code), triesLeft: String(rules.triesMax) };
        await redis.multi().del(key).hset(key, fields).expire(key, rules.lifeSeconds).exec();
      }),
    /** Whether the code is correct; a correct code is consumed. */
    take: (about: CodeSubject, code: string): Promise<boolean> =>
      withRedisErrors(async () => (await redis.eval(TAKE, 1, toKey(about), toDigest(about, code))) === 1),
    drop: (about: CodeSubject): Promise<void> => withRedisErrors(async () => void (await redis.del(toKey(about)))),
  };
}
