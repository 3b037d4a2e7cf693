import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStoredCallResponses } from "../../../services/relay/src/pipeline/idempotency/stored-call-responses.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const CALLS = 300;
const READS_EACH = 4;

const log = createLogger("test", "silent");
const { redisUrl: url, namespace } = testBacking();
const [ownerRedis, followerRedis] = [0, 1].map(() => connectRedis({ url, namespace, log })) as [
  ReturnType<typeof connectRedis>,
  ReturnType<typeof connectRedis>,
];
beforeAll(async () => void (await Promise.all([ownerRedis, followerRedis].map((redis) => waitForRedis(redis, 5_000)))));
afterAll(() => [ownerRedis, followerRedis].forEach((redis) => redis.disconnect()));

const MEGABYTE = 1024 * 1024;
const createResponses = (redis: typeof ownerRedis, relayId: string) =>
  createStoredCallResponses({
    redis,
    relayId,
    secretBox: createSecretBox("ab".repeat(32)),
    bounds: { response: MEGABYTE, user: 64 * MEGABYTE, all: 64 * MEGABYTE },
    now: Date.now,
  });

it("reads the head of a response with its first piece, and the end with the last, while another relay writes them", async () => {
  const [owner, follower] = [createResponses(ownerRedis, "owner"), createResponses(followerRedis, "follower")];
  const ids = Array.from({ length: CALLS }, (_, index) => ({ userId: 81, hash: `call-${index}` }));
  await Promise.all(ids.map((id) => owner.claim(id, "fingerprint", id.hash)));
  const torn: string[] = [];
  await Promise.all(
    ids.map(async (id) => {
      const written = owner.append(id, { head: { status: 200, headers: {} }, piece: Buffer.from("piece"), before: 0 });
      for (let read = 0; read < READS_EACH; read++) {
        const { head, pieces } = await follower.read(id, 0);
        if (pieces.length > 0 && head === undefined) torn.push(id.hash);
      }
      await written;
      await owner.append(id, { piece: Buffer.from("last"), before: 1, ending: { isWhole: true, trailers: {} } });
      const { pieces, ending } = await follower.read(id, 0);
      expect([String(pieces.at(-1)), ending?.isWhole]).toEqual(["last", true]);
    }),
  );
  expect(torn).toEqual([]);
});
