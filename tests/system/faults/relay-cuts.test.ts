import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addPayers, type FaultContext, lookWhenSettled, mustAgree } from "../../fault/agreement.ts";
import { type CallResult, runCalls } from "../../fault/calls.ts";
import { toBackingUrls, withNamespace } from "../../lib/backing/backing-urls.ts";
import { type LocalBacking, startLocalBacking } from "../../lib/backing/local-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite } from "../../lib/test-site.ts";
import { startTcpProxy, type TcpProxy } from "../../lib/network/tcp-proxy.ts";
import { startWorld, type World } from "../../lib/world.ts";

/** Longer than the 15 seconds after which a relay counts as dead. */
const CUT_MS = 20_000;
const CUT_AFTER_MS = 3_000;
const LOAD_MS = 30_000;
const CALLS_PER_SECOND = 10;
const TEST_MS = 240_000;

// Servers of its own: one of them is stopped.
let own: LocalBacking;
let proxy: TcpProxy;
let world: World;
let upstream: FakeUpstream;
let context: FaultContext;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  own = await startLocalBacking();
  const backing = withNamespace(toBackingUrls(own), "cuts");
  const redis = new URL(backing.redisUrl);
  proxy = await startTcpProxy({ host: redis.hostname, port: Number(redis.port) });
  const proxied = new URL(backing.redisUrl);
  proxied.port = String(proxy.port);
  const env = { GLOBAL_API_RATE_LIMIT_ENABLE: "false" };
  // Of the two relays only this one can be cut off from Redis.
  const processEnv = { "relay-1": { REDIS_URL: proxied.toString() } };
  world = await startWorld({ backing, relayWorkers: 2, env, processEnv });
  const testSite = await openTestSite(world, upstream.url);
  const { id } = await testSite.self();
  const { key } = await testSite.token();
  context = { world, upstream, testSite, key, userId: id, others: await addPayers(testSite, 3) };
  await runCalls({ url: world.relayUrl, key, count: 20, concurrency: 4, patience: 20 });
}, 180_000);
beforeEach(() => upstream.reset());
afterEach(() => {
  proxy.setCut(false);
  world.kill("relay-1", "SIGCONT");
});
afterAll(async () => {
  await world?.stop();
  proxy?.stop();
  await own?.dispose();
  await upstream?.stop();
});

const setRedis = (signal: NodeJS.Signals): void => {
  const pid = own.found.redis.server?.process.pid();
  if (pid === undefined) throw new Error("Redis is not running");
  process.kill(pid, signal);
};

const FAULTS: readonly (readonly [string, (isBroken: boolean) => void])[] = [
  ["a relay is cut off from Redis alone", (isBroken) => proxy.setCut(isBroken)],
  ["a relay stands still", (isBroken) => void world.kill("relay-1", isBroken ? "SIGSTOP" : "SIGCONT")],
  ["Redis stands still", (isBroken) => setRedis(isBroken ? "SIGSTOP" : "SIGCONT")],
];

/** Calls at fixed times, half of them streams of some seconds, while the fault lasts. */
async function callDuring(setBroken: (isBroken: boolean) => void): Promise<CallResult[]> {
  upstream.always({}, { pieces: 40, frameGapMs: 50 });
  const running = runCalls({
    url: world.relayUrl,
    key: context.key,
    keys: [context, ...(context.others ?? [])].map(({ key }) => key),
    count: (CALLS_PER_SECOND * LOAD_MS) / 1_000,
    overMs: LOAD_MS,
    mixed: true,
    keyedEvery: 5,
  });
  await wait(CUT_AFTER_MS);
  setBroken(true);
  await wait(CUT_MS);
  setBroken(false);
  return running;
}

describe.each(FAULTS)("while %s for 20 s", (title, setBroken) => {
  it(
    "charges nothing for refused calls, and the exact usage of all calls received in full",
    async () => {
      const before = await lookWhenSettled(context);
      const results = await callDuring(setBroken);
      const agreed = await mustAgree(context, before, results);
      const statuses = Object.groupBy(results, ({ status, outcome }) => `${outcome} ${status}`);
      const counts = Object.entries(statuses).map(([name, calls = []]) => `${calls.length} ${name}`);
      console.log(`${title}: ${agreed}; ${counts.join(", ")}`);
      // The fault was felt, and did not stop everything.
      expect(results.some(({ outcome }) => outcome === "served")).toBe(true);
      expect(results.some(({ outcome, tookMs }) => outcome !== "served" || tookMs > 5_000)).toBe(true);
    },
    TEST_MS,
  );
});

describe("stream that outlives its relay's presumed death", () => {
  it(
    "is posted with its usage in place of what was recovered",
    async () => {
      const before = await lookWhenSettled(context);
      // Each lasts longer than the cut, so that it is recovered at its prompt first.
      upstream.always({}, { pieces: 150, frameGapMs: 250 });
      const { key } = context;
      const running = runCalls({ url: world.relayUrl, key, count: 12, concurrency: 12, stream: true });
      await wait(CUT_AFTER_MS);
      proxy.setCut(true);
      await wait(CUT_MS + 10_000);
      proxy.setCut(false);
      const results = await running;
      expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "served"));
      console.log(await mustAgree(context, before, results));
    },
    TEST_MS,
  );
});
