import type { Redis } from "@turnpike/shared/redis/redis";
import { withRedisErrors } from "@turnpike/shared/errors/redis-errors";

/** What a code is for, and whose it is. */
export type CodeSubject = { readonly purpose: string; readonly subject: string };
export type CodeStore = ReturnType<typeof createCodeStore>;

/** Compares and takes in one step: right ends the code, wrong costs a try, the last try ends it too. */
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
 * Short codes that people type. Only a keyed hash is kept; a code counts once, for its subject alone, and ends after a few wrong tries.
 * Throws `unavailable` while Redis is away.
 */
export function createCodeStore(deps: { redis: Redis; lookupHash: (secret: string) => string }) {
  const { redis, lookupHash } = deps;
  const keyOf = ({ purpose, subject }: CodeSubject): string => `code:${purpose}:${lookupHash(subject).slice(0, 32)}`;
  const toDigest = ({ purpose, subject }: CodeSubject, code: string): string =>
    lookupHash(`code\n${purpose}\n${subject}\n${code}`);
  return {
    /** Keeps a code; an older one for the same subject ends. */
    put: (about: CodeSubject, code: string, rules: { lifeSeconds: number; triesMax: number }): Promise<void> =>
      withRedisErrors(async () => {
        const key = keyOf(about);
        const fields = { digest: toDigest(about, code), triesLeft: String(rules.triesMax) };
        await redis.multi().del(key).hset(key, fields).expire(key, rules.lifeSeconds).exec();
      }),
    /** Whether the code is right; then it is used up. */
    take: (about: CodeSubject, code: string): Promise<boolean> =>
      withRedisErrors(async () => (await redis.eval(TAKE, 1, keyOf(about), toDigest(about, code))) === 1),
    drop: (about: CodeSubject): Promise<void> => withRedisErrors(async () => void (await redis.del(keyOf(about)))),
  };
}
