import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { ROOT_USER, startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let redis: Redis;
// Its own servers: FLUSHALL empties the whole Redis.
beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  redis = new Redis(world.redisUrl);
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await redis.quit();
  await world.stop();
  await upstream.stop();
});

const PIECES = 1_200;
const STREAMS = 8;

type Stream = { readonly requestId: string; readonly text: string };

/** Reads a stream to its end; `onFrames` is called once when some frames were read. */
async function readStream(key: string, onFrames: () => void): Promise<Stream> {
  const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Count." }] }),
  });
  let text = "";
  let isUnderWay = false;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (isUnderWay || text.split("\n\n").length < 30) continue;
    isUnderWay = true;
    onFrames();
  }
  return { requestId: response.headers.get("x-request-id") ?? "", text };
}

/** Runs streams of some tokens, and `lose` once all of them are under way. */
async function runStreams(keys: readonly string[], lose: () => Promise<unknown>): Promise<Stream[]> {
  upstream.always({}, { pieces: PIECES, frameGapMs: 5 });
  let waiting = keys.length;
  const underWay = Promise.withResolvers<void>();
  const running = Promise.all(keys.map((key) => readStream(key, () => void (--waiting === 0 && underWay.resolve()))));
  await underWay.promise;
  await lose();
  return running;
}

async function mustBeCharged(streams: readonly Stream[]): Promise<void> {
  for (const { requestId, text } of streams) {
    expect(text).not.toContain("insufficient_user_quota");
    expect(text).not.toContain('"error"');
    expect(text).toContain("[DONE]");
    const row = await testSite.eventually(`the row of ${requestId}`, 60_000, async () => {
      return (await testSite.logs({ request_id: requestId }).catch(() => undefined))?.items[0];
    });
    expect(row.completion_tokens).toBe(PIECES);
  }
  await testSite.eventually("the posting of all calls", 60_000, async () => (await isSettled(world)) || undefined);
  await ledgerCheck(world);
}

/** What Redis knows of accounts, tokens and running calls. */
async function copyBalances(): Promise<Map<string, Buffer>> {
  const keys = await Promise.all(["acct", "tok", "open"].map((name) => redis.keys(`*${name}:{*`)));
  return new Map(
    await Promise.all(keys.flat().map(async (key) => [key, (await redis.dumpBuffer(key)) as Buffer] as const)),
  );
}

it("continues running streams when Redis is emptied, and charges them exactly", async () => {
  const tokens = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      testSite.token(index % 2 === 0 ? { unlimited_quota: true } : { unlimited_quota: false, remain_quota: 1_000_000 }),
    ),
  );
  const streams = await runStreams(
    tokens.map(({ key }) => key),
    () => redis.flushall(),
  );
  // Sessions are stored in Redis, too.
  await testSite.eventually("a sign-in", 20_000, () =>
    testSite.root.login(ROOT_USER.username, ROOT_USER.password).then(
      () => true,
      () => undefined,
    ),
  );
  await mustBeCharged(streams);
}, 180_000);

it("continues streams whose holds were lost with the newest second of Redis, and charges them exactly", async () => {
  const { key } = await testSite.token({ unlimited_quota: false, remain_quota: 5_000_000 });
  // The account and the token are loaded, and have no open call.
  upstream.always({}, { pieces: 2 });
  await readStream(key, () => undefined);
  await testSite.eventually("the posting", 60_000, async () => (await isSettled(world)) || undefined);
  const older = await copyBalances();
  const streams = await runStreams(
    Array.from({ length: STREAMS }, () => key),
    async () => {
      for (const name of await redis.keys("*open:{*")) await redis.del(name);
      for (const [name, dump] of older) await redis.restore(name, 0, dump, "REPLACE");
    },
  );
  await mustBeCharged(streams);
}, 180_000);
