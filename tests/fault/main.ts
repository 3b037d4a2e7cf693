/**
 * Process kills and outages under load. After each, what upstream served, what clients received, the log and the
 * balances must agree, and `ledger:check` must pass. FAULT_SECONDS is how long a backing service is down (60 by
 * default), FAULT_CALLS the size of the long run (10 000 by default).
 */
import { Redis } from "ioredis";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { isSettled } from "../lib/settled.ts";
import { openShop, type Shop } from "../lib/shop.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type CallResult, runCalls } from "./calls.ts";

const AWAY_SECONDS = Number(process.env["FAULT_SECONDS"] ?? 60);
const CALLS = Number(process.env["FAULT_CALLS"] ?? 10_000);
const CONCURRENCY = 64;
const HANG_MS = 6_000;
/** How long holds of a dead relay may stay open: heartbeat, timeout of the janitor, posting. */
const RECOVERY_MS = 90_000;

type Scene = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly shop: Shop;
  readonly key: string;
  readonly userId: number;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** All log rows of consumption so far: request id → quota. */
async function readLog(shop: Shop): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (let page = 1; ; page++) {
    const { items, total } = await shop.logs({ type: 2, p: page });
    for (const row of items) {
      if (rows.has(row.request_id)) throw new Error(`two log rows for the call ${row.request_id}`);
      rows.set(row.request_id, row.quota);
    }
    if (items.length === 0 || rows.size >= total) return rows;
  }
}

type Before = { readonly rows: Map<string, number>; readonly quota: number };
const look = async ({ shop }: Scene): Promise<Before> => ({
  rows: await readLog(shop),
  quota: (await shop.self()).quota,
});

/** Waits until all usage is posted, then compares clients, log, balance and ledger. */
async function mustAgree(scene: Scene, before: Before, results: readonly CallResult[]): Promise<string> {
  const served = results.filter(({ outcome }) => outcome === "answered");
  const { rows, quota } = await scene.shop.eventually("the booking of all calls", RECOVERY_MS, async () => {
    const now = (await isSettled(scene.world)) ? await look(scene).catch(() => undefined) : undefined;
    return now && served.every(({ requestId }) => now.rows.has(requestId)) ? now : undefined;
  });
  const fresh = [...rows].filter(([id]) => !before.rows.has(id));
  const wrong = served.filter((call) => rows.get(call.requestId) !== call.quota);
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} calls are charged wrongly, such as ${wrong[0]?.requestId}: ${rows.get(wrong[0]?.requestId ?? "")}`,
    );
  const charged = sum(fresh.map(([, cost]) => cost));
  if (before.quota - quota !== charged)
    throw new Error(`the balance fell by ${before.quota - quota}, the log says ${charged}`);
  const refused = results.filter(({ outcome, requestId }) => outcome === "refused" && rows.has(requestId));
  if (refused.length > 0)
    throw new Error(`${refused.length} refused calls are charged, such as ${refused[0]?.requestId}`);
  const cut = results.filter(({ outcome, requestId }) => outcome === "cut" && requestId !== "");
  const free = cut.filter(({ requestId }) => (rows.get(requestId) ?? 0) === 0);
  if (free.length > 0)
    throw new Error(`${free.length} responses that had begun are free, such as ${free[0]?.requestId}`);
  await ledgerCheck(scene.world);
  const others = results.length - served.length;
  return `${served.length} answered and charged to the unit, ${others} not answered, ${fresh.length - served.length} settled from what was held or produced`;
}

async function relayKilledInMidStream(scene: Scene): Promise<string> {
  const before = await look(scene);
  scene.upstream.always({}, { pieces: 100, frameGapMs: 30 });
  const running = runCalls({ url: scene.world.relayUrl, key: scene.key, count: 40, concurrency: 40, stream: true });
  await pause(1_200);
  scene.world.kill("relay");
  const results = await running;
  scene.upstream.reset();
  await scene.world.waitReady("relay");
  return mustAgree(scene, before, results);
}

async function billingKilledInMidBatch(scene: Scene): Promise<string> {
  const before = await look(scene);
  const running = runCalls({
    url: scene.world.relayUrl,
    key: scene.key,
    count: Math.min(CALLS, 2_000),
    concurrency: CONCURRENCY,
  });
  for (let time = 0; time < 3; time++) {
    await pause(700);
    scene.world.kill("billing");
  }
  const results = await running;
  await scene.world.waitReady("billing");
  return mustAgree(scene, before, results);
}

/** Calls continue while a backing service is down; afterwards nothing is missing. */
async function awayAndBack(scene: Scene, name: "mongodb" | "nats"): Promise<string> {
  const before = await look(scene);
  await scene.world.stopBacking(name);
  const results = await runCalls({
    url: scene.world.relayUrl,
    key: scene.key,
    count: 300,
    concurrency: 8,
    overMs: AWAY_SECONDS * 1_000,
  });
  await scene.world.startBacking(name);
  const failed = results.filter(({ outcome }) => outcome !== "answered");
  if (failed.length > 0) throw new Error(`${failed.length} calls failed while ${name} was down: ${failed[0]?.status}`);
  await scene.world.waitReady();
  return mustAgree(scene, before, results);
}

/** Sends one call after the other until the relay has detected that Redis is down, which takes less than a second. */
async function callsUntilRefused({ world, key }: Scene): Promise<CallResult[]> {
  const untilMs = Date.now() + 1_000;
  const results: CallResult[] = [];
  do results.push(...(await runCalls({ url: world.relayUrl, key, count: 1, concurrency: 1 })));
  while (results.at(-1)?.outcome === "answered" && Date.now() < untilMs);
  return results;
}

async function redisStoppedAndEmptied(scene: Scene): Promise<string> {
  const before = await look(scene);
  const first = await runCalls({ url: scene.world.relayUrl, key: scene.key, count: 200, concurrency: 16 });
  await scene.world.stopBacking("redis");
  // Calls sent just as the connection ends may still be served; they are charged like any other.
  const meanwhile = await callsUntilRefused(scene);
  const startedAt = Date.now();
  const during = await runCalls({ url: scene.world.relayUrl, key: scene.key, count: 20, concurrency: 4 });
  const slowest = (Date.now() - startedAt) / 5;
  if (slowest > 1_000) throw new Error(`calls hung ${slowest} ms while Redis was down`);
  const strange = during.filter(({ status }) => status !== 503);
  if (strange.length > 0) throw new Error(`expected 503 while Redis was down, got ${strange[0]?.status}`);
  await pause(Math.min(AWAY_SECONDS, 10) * 1_000);
  await scene.world.startBacking("redis");
  const redis = new Redis(scene.world.redisUrl);
  await redis.flushall();
  await redis.quit();
  const client = await scene.shop.eventually("a sign-in", 20_000, () => scene.world.root().catch(() => undefined));
  Object.assign(scene.shop, await reopen(scene, client));
  const after = await runCalls({
    url: scene.world.relayUrl,
    key: scene.key,
    count: 200,
    concurrency: 16,
    patience: 20,
  });
  return mustAgree(scene, before, [...first, ...meanwhile, ...during, ...after]);
}

/** Redis stops responding with its connections open, as on an overloaded machine: commands reach it seconds late. */
async function redisHangs(scene: Scene): Promise<string> {
  const before = await look(scene);
  const running = runCalls({
    url: scene.world.relayUrl,
    key: scene.key,
    count: 300,
    concurrency: 16,
    overMs: HANG_MS * 2,
  });
  await pause(1_000);
  const pid = scene.world.backingPid("redis");
  if (pid === undefined) throw new Error("Redis is not running");
  process.kill(pid, "SIGSTOP");
  await pause(HANG_MS).finally(() => process.kill(pid, "SIGCONT"));
  const results = await running;
  return mustAgree(scene, before, results);
}

/** Sessions were stored in the emptied Redis: the shop continues with a new one. */
async function reopen(scene: Scene, root: Shop["root"]): Promise<Partial<Shop>> {
  const logs = (query: Record<string, string | number> = {}) =>
    root.get<Awaited<ReturnType<Shop["logs"]>>>("/api/log/", { p: 1, page_size: 100, ...query });
  return { root, logs, self: () => root.get("/api/user/self") };
}

async function longRun(scene: Scene): Promise<string> {
  const before = await look(scene);
  // Clients of a killed relay retry, as real clients do.
  const running = runCalls({
    url: scene.world.relayUrl,
    key: scene.key,
    count: CALLS,
    concurrency: CONCURRENCY,
    patience: 30,
  });
  await pause(800);
  scene.world.kill("relay");
  await scene.world.restart("billing");
  const results = await running;
  await scene.world.waitReady();
  return mustAgree(scene, before, results);
}

const SCENARIOS: readonly (readonly [string, (scene: Scene) => Promise<string>])[] = [
  ["a relay is killed in mid-stream", relayKilledInMidStream],
  ["billing is killed in mid-batch", billingKilledInMidBatch],
  [`MongoDB is away for ${AWAY_SECONDS} s`, (scene) => awayAndBack(scene, "mongodb")],
  [`NATS is away for ${AWAY_SECONDS} s`, (scene) => awayAndBack(scene, "nats")],
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
    const shop = await openShop(world, upstream.url);
    const { id } = await shop.self();
    await shop.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
    const { key } = await shop.token({ remain_quota: 1_000_000_000_000 });
    const scene: Scene = { world, upstream, shop, key, userId: id };
    await runCalls({ url: world.relayUrl, key, count: 20, concurrency: 4, patience: 20 });
    await shop.eventually("a first booking", RECOVERY_MS, async () => (await isSettled(world)) || undefined);
    for (const [title, run] of SCENARIOS) {
      try {
        say(`ok    ${title}: ${await run(scene)}`);
        passed++;
      } catch (error) {
        say(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
        failed++;
      }
    }
  } finally {
    await world.stop();
    await upstream.stop();
  }
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
