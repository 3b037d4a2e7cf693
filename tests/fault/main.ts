/**
 * Process kills and outages under load. After each, what upstream served, what clients received, the log and the
 * balances must agree, and `ledger:check` must pass. FAULT_SECONDS is how long a backing service is down (60 by
 * default), FAULT_CALLS the size of the long run (10 000 by default), FAULT_HANG_SECONDS how long Redis stands still (20),
 * FAULT_SCENES a pattern for the titles of the scenarios to run.
 */
import { Redis } from "ioredis";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../lib/settled.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { type FaultContext, look, mustAgree, pause, print, RECOVERY_MS } from "./agreement.ts";
import { startWorld } from "../lib/world.ts";
import { type CallResult, runCalls } from "./calls.ts";

const OUTAGE_SECONDS = Number(process.env["FAULT_SECONDS"] ?? 60);
const CALLS = Number(process.env["FAULT_CALLS"] ?? 10_000);
const CONCURRENCY = 64;
const HANG_MS = Number(process.env["FAULT_HANG_SECONDS"] ?? 20) * 1_000;
/** Only scenarios whose title matches run. */
const CHOSEN = new RegExp(process.env["FAULT_SCENES"] ?? "");
async function relayKilledInMidStream(context: FaultContext): Promise<string> {
  const before = await look(context);
  context.upstream.always({}, { pieces: 100, frameGapMs: 30 });
  const running = runCalls({ url: context.world.relayUrl, key: context.key, count: 40, concurrency: 40, stream: true });
  await pause(1_200);
  context.world.kill("relay");
  const results = await running;
  context.upstream.reset();
  await context.world.waitReady("relay");
  return mustAgree(context, before, results);
}

async function billingKilledInMidBatch(context: FaultContext): Promise<string> {
  const before = await look(context);
  const running = runCalls({
    url: context.world.relayUrl,
    key: context.key,
    count: Math.min(CALLS, 2_000),
    concurrency: CONCURRENCY,
  });
  for (let time = 0; time < 3; time++) {
    await pause(700);
    context.world.kill("billing");
  }
  const results = await running;
  await context.world.waitReady("billing");
  return mustAgree(context, before, results);
}

/** Calls continue while a backing service is down; afterwards nothing is missing. */
async function runThroughOutage(context: FaultContext, name: "mongodb" | "nats"): Promise<string> {
  const before = await look(context);
  await context.world.stopBacking(name);
  const results = await runCalls({
    url: context.world.relayUrl,
    key: context.key,
    count: 300,
    overMs: OUTAGE_SECONDS * 1_000,
  });
  await context.world.startBacking(name);
  const failed = results.filter(({ outcome }) => outcome !== "served");
  if (failed.length > 0) throw new Error(`${failed.length} calls failed while ${name} was down: ${failed[0]?.status}`);
  await context.world.waitReady();
  return mustAgree(context, before, results);
}

/** Sends one call after the other until the relay has detected that Redis is down, which takes less than a second. */
async function callsUntilRefused({ world, key }: FaultContext): Promise<CallResult[]> {
  const untilMs = Date.now() + 1_000;
  const results: CallResult[] = [];
  do results.push(...(await runCalls({ url: world.relayUrl, key, count: 1, concurrency: 1 })));
  while (results.at(-1)?.outcome === "served" && Date.now() < untilMs);
  return results;
}

async function redisStoppedAndEmptied(context: FaultContext): Promise<string> {
  const before = await look(context);
  const first = await runCalls({ url: context.world.relayUrl, key: context.key, count: 200, concurrency: 16 });
  await context.world.stopBacking("redis");
  // Calls sent just as the connection ends may still be served; they are charged like any other.
  const meanwhile = await callsUntilRefused(context);
  const startedAt = Date.now();
  const during = await runCalls({ url: context.world.relayUrl, key: context.key, count: 20, concurrency: 4 });
  const slowest = (Date.now() - startedAt) / 5;
  if (slowest > 1_000) throw new Error(`calls hung ${slowest} ms while Redis was down`);
  const strange = during.filter(({ status }) => status !== 503);
  if (strange.length > 0) throw new Error(`expected 503 while Redis was down, got ${strange[0]?.status}`);
  await pause(Math.min(OUTAGE_SECONDS, 10) * 1_000);
  await context.world.startBacking("redis");
  const redis = new Redis(context.world.redisUrl);
  await redis.flushall();
  await redis.quit();
  const client = await context.testSite.eventually("a sign-in", 20_000, () =>
    context.world.root().catch(() => undefined),
  );
  Object.assign(context.testSite, await reopen(context, client));
  const after = await runCalls({
    url: context.world.relayUrl,
    key: context.key,
    count: 200,
    concurrency: 16,
    patience: 20,
  });
  return mustAgree(context, before, [...first, ...meanwhile, ...during, ...after]);
}

/** Redis stops responding with its connections open, as on an overloaded machine: commands reach it seconds late. */
async function redisHangs(context: FaultContext): Promise<string> {
  const before = await look(context);
  const running = runCalls({
    url: context.world.relayUrl,
    key: context.key,
    count: (HANG_MS * 2 * 40) / 1_000,
    overMs: HANG_MS * 2,
  });
  await pause(1_000);
  const pid = context.world.backingPid("redis");
  if (pid === undefined) throw new Error("Redis is not running");
  process.kill(pid, "SIGSTOP");
  await pause(HANG_MS).finally(() => process.kill(pid, "SIGCONT"));
  const results = await running;
  return mustAgree(context, before, results);
}

/** Sessions were stored in the emptied Redis: the testSite continues with a new one. */
async function reopen(context: FaultContext, root: TestSite["root"]): Promise<Partial<TestSite>> {
  const logs = (query: Record<string, string | number> = {}) =>
    root.get<Awaited<ReturnType<TestSite["logs"]>>>("/api/log/", { p: 1, page_size: 100, ...query });
  return { root, logs, self: () => root.get("/api/user/self") };
}

async function longRun(context: FaultContext): Promise<string> {
  const before = await look(context);
  // Clients of a killed relay retry, as real clients do.
  const running = runCalls({
    url: context.world.relayUrl,
    key: context.key,
    count: CALLS,
    concurrency: CONCURRENCY,
    patience: 30,
  });
  await pause(800);
  context.world.kill("relay");
  await context.world.restart("billing");
  const results = await running;
  await context.world.waitReady();
  return mustAgree(context, before, results);
}

const SCENARIOS: readonly (readonly [string, (context: FaultContext) => Promise<string>])[] = [
  ["a relay is killed during streams", relayKilledInMidStream],
  ["billing is killed during a batch", billingKilledInMidBatch],
  [`MongoDB is down for ${OUTAGE_SECONDS} s`, (context) => runThroughOutage(context, "mongodb")],
  [`NATS is down for ${OUTAGE_SECONDS} s`, (context) => runThroughOutage(context, "nats")],
  [`Redis hangs for ${HANG_MS / 1_000} s`, redisHangs],
  ["Redis is stopped and emptied", redisStoppedAndEmptied],
  [`${CALLS} calls with a billing restart and a relay kill`, longRun],
];

async function main(): Promise<number> {
  const upstream = await startFakeUpstream();
  const world = await startWorld({ logLevel: "warn", env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  let passed = 0;
  let failed = 0;
  try {
    const testSite = await openTestSite(world, upstream.url);
    const { id } = await testSite.self();
    await testSite.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
    const { key } = await testSite.token({ remain_quota: 1_000_000_000_000 });
    const context: FaultContext = { world, upstream, testSite, key, userId: id };
    await runCalls({ url: world.relayUrl, key, count: 20, concurrency: 4, patience: 20 });
    await testSite.eventually("a first posting", RECOVERY_MS, async () => (await isSettled(world)) || undefined);
    for (const [title, run] of SCENARIOS.filter(([title]) => CHOSEN.test(title))) {
      try {
        print(`ok    ${title}: ${await run(context)}`);
        passed++;
      } catch (error) {
        print(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
        failed++;
      }
    }
  } finally {
    await world.stop();
    await upstream.stop();
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
