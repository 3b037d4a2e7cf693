/**
 * Replicated stores whose primary is lost under load: MongoDB as a replica set of three, Redis under three sentinels and
 * as a cluster of three primaries, NATS as a cluster of three with streams of three replicas. Two billings and three
 * relays serve calls of several users at fixed times, half of them streams, some with an idempotency key. In each scenario
 * every served call must be charged once, exactly; calls may fail only within ten seconds of the fault, and none may hang. FAULT_RATE is the calls a second (200 by default),
 * FAULT_LOAD_SECONDS how long they run (40), FAULT_SCENES a pattern for the titles of the scenarios to run.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../../scripts/process/ports.ts";
import { startNatsCluster } from "../lib/backing/replicated-nats.ts";
import { startReplicaSet } from "../lib/backing/replicated-mongodb.ts";
import { startCluster, startSentinels } from "../lib/backing/replicated-redis.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../lib/settled.ts";
import { openTestSite } from "../lib/test-site.ts";
import { startWorld, type World } from "../lib/world.ts";
import { addPayers, type FaultContext, look, mustAgree, pause, print, RECOVERY_MS } from "./agreement.ts";
import { type CallResult, runCalls } from "./calls.ts";

const RATE = Number(process.env["FAULT_RATE"] ?? 200);
const LOAD_SECONDS = Number(process.env["FAULT_LOAD_SECONDS"] ?? 40);
const CHOSEN = new RegExp(process.env["FAULT_SCENES"] ?? "");
const LOG_LINES = Number(process.env["FAULT_LOG_LINES"] ?? 0);
const FAULT_AFTER_MS = 6_000;
const PAUSE_MS = 8_000;
const FAILURES_WITHIN_MS = 10_000;
const HANG_MS = 15_000;
const OTHER_USERS = 5;
/** Every n-th call has an idempotency key. */
const KEYED_EVERY = 10;
const RELAYS = 3;
const NAMESPACE = "replicated";

const folder = mkdtempSync(join(tmpdir(), "turnpike-replicated-"));

/** A second billing next to the system's own. */
async function startSecondBilling(world: World): Promise<ChildProcess> {
  const spec = world.specs.find(({ service }) => service === "billing");
  const [grpcPort, opsPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...spec?.env,
    GRPC_PORT: String(grpcPort),
    OPS_PORT: String(opsPort),
    NATS_REPLICAS: "3",
  };
  const main = resolve(import.meta.dirname, "../../services/billing/src/main.ts");
  const child = spawn(process.execPath, [main], { env, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Makes calls while `fault` happens; they must fail only shortly after it. */
async function underLoad(context: FaultContext, fault: () => Promise<void>): Promise<string> {
  const before = await look(context);
  const running = runCalls({
    url: context.world.relayUrl,
    key: context.key,
    keys: [context, ...(context.others ?? [])].map(({ key }) => key),
    count: RATE * LOAD_SECONDS,
    overMs: LOAD_SECONDS * 1_000,
    mixed: true,
    keyedEvery: KEYED_EVERY,
  });
  await pause(FAULT_AFTER_MS);
  const faultAtMs = Date.now();
  await fault();
  const results = await running;
  const failed = results.filter(({ outcome }) => outcome !== "served");
  const isStrange = ({ startedAtMs, tookMs }: CallResult): boolean =>
    startedAtMs + tookMs < faultAtMs || startedAtMs > faultAtMs + FAILURES_WITHIN_MS;
  const strange = failed.filter(isStrange);
  const [odd] = strange;
  if (odd)
    throw new Error(
      `${strange.length} calls failed outside of ten seconds after the fault, such as one with ${odd.status} at ${odd.startedAtMs - faultAtMs} ms`,
    );
  const slowest = Math.max(...results.map(({ tookMs }) => tookMs));
  if (slowest > HANG_MS) throw new Error(`a call took ${slowest} ms`);
  const last = Math.max(0, ...failed.map(({ startedAtMs }) => startedAtMs - faultAtMs));
  const agreed = await mustAgree(context, before, results);
  return `${agreed}; failures up to ${(last / 1_000).toFixed(1)} s after the fault, slowest call ${(slowest / 1_000).toFixed(1)} s`;
}

type Stores = {
  readonly mongodb: Awaited<ReturnType<typeof startReplicaSet>>;
  readonly nats: Awaited<ReturnType<typeof startNatsCluster>>;
};
type Scenario = readonly [title: string, fault: (context: FaultContext) => Promise<void>];

/** Starts the system on the stores, runs the scenarios, and stops it. Returns how many passed and failed. */
async function runOn(
  urls: { readonly mongodbUrl: string; readonly redisUrl: string; readonly natsUrl: string },
  scenarios: readonly Scenario[],
): Promise<{ passed: number; failed: number }> {
  const chosen = scenarios.filter(([title]) => CHOSEN.test(title));
  if (chosen.length === 0) return { passed: 0, failed: 0 };
  const upstream = await startFakeUpstream();
  const env = { GLOBAL_API_RATE_LIMIT_ENABLE: "false", NATS_REPLICAS: "3" };
  const backing = { ...urls, namespace: NAMESPACE };
  const world = await startWorld({ backing, logLevel: "warn", relayWorkers: RELAYS, env });
  const second = await startSecondBilling(world);
  let [passed, failed] = [0, 0];
  try {
    const testSite = await openTestSite(world, upstream.url);
    const { id } = await testSite.self();
    await testSite.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
    const { key } = await testSite.token({ remain_quota: 1_000_000_000_000 });
    const others = await addPayers(testSite, OTHER_USERS);
    const context: FaultContext = { world, upstream, testSite, key, userId: id, others };
    const untilSettled = (what: string) =>
      testSite.eventually(what, RECOVERY_MS, async () => (await isSettled(world)) || undefined);
    // Every payer: a balance that has to be loaded first is no matter of the fault.
    const keys = [context, ...others].map((payer) => payer.key);
    await runCalls({ url: world.relayUrl, key, keys, count: 90, concurrency: 8, patience: 20, mixed: true });
    await untilSettled("a first posting");
    for (const [title, fault] of chosen) {
      try {
        print(`ok    ${title}: ${await underLoad(context, () => fault(context))}`);
        passed++;
      } catch (error) {
        print(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
        if (LOG_LINES > 0) for (const line of world.log.complaintsFrom(0).slice(-LOG_LINES)) print(line);
        failed++;
        // The next scenario is not to find what this one left.
        await untilSettled("the posting of a failed scenario").catch(() => undefined);
      }
    }
  } finally {
    second.kill("SIGTERM");
    await world.stop();
    await upstream.stop();
  }
  return { passed, failed };
}

const mongoScenarios = ({ mongodb }: Stores): Scenario[] => [
  [
    "the primary of MongoDB is killed",
    async () => {
      const primary = await mongodb.findPrimary();
      await primary.kill();
      await mongodb.findPrimary(mongodb.members.filter((member) => member !== primary));
      await primary.start();
    },
  ],
  [
    "the primary of MongoDB is cut off, and comes back",
    async () => {
      const primary = await mongodb.findPrimary();
      primary.suspend();
      await mongodb.findPrimary(mongodb.members.filter((member) => member !== primary));
      await pause(PAUSE_MS);
      primary.resume();
    },
  ],
  [
    "the primary of MongoDB serves its clients and cannot replicate",
    async () => {
      const primary = await mongodb.findPrimary();
      mongodb.setUnreplicated(primary, true);
      await mongodb.findPrimary(mongodb.members.filter((member) => member !== primary));
      await pause(PAUSE_MS);
      mongodb.setUnreplicated(primary, false);
    },
  ],
];

const natsScenarios = ({ nats }: Stores): Scenario[] => [
  [
    "the leader of the usage stream is killed",
    async () => {
      const leader = await nats.findLeader(`USAGE_${NAMESPACE}`);
      await leader.kill();
      await pause(PAUSE_MS);
      await leader.start();
    },
  ],
];

async function main(): Promise<number> {
  let [passed, failed] = [0, 0];
  const count = (result: { passed: number; failed: number }): void => {
    passed += result.passed;
    failed += result.failed;
  };
  const stores: Stores = { mongodb: await startReplicaSet(folder), nats: await startNatsCluster(folder) };
  const common = { mongodbUrl: stores.mongodb.url, natsUrl: stores.nats.url };
  try {
    const redis = await startSentinels(folder);
    const sentinelScenarios: Scenario[] = [
      [
        "the primary of Redis is killed under sentinels",
        async () => {
          const primary = await redis.findPrimary();
          await primary.kill();
          await pause(PAUSE_MS);
          await primary.start();
        },
      ],
      [
        "the primary of Redis is paused under sentinels, and comes back",
        async () => {
          const primary = await redis.findPrimary();
          primary.suspend();
          await pause(PAUSE_MS);
          primary.resume();
        },
      ],
    ];
    try {
      const scenarios = [...sentinelScenarios, ...mongoScenarios(stores), ...natsScenarios(stores)];
      count(await runOn({ ...common, redisUrl: redis.url }, scenarios));
    } finally {
      await redis.stop();
    }
    const cluster = await startCluster(folder);
    try {
      const fault = async ({ userId }: FaultContext): Promise<void> => {
        const primary = await cluster.findPrimaryByKey(`${NAMESPACE}:acct:{${userId}}`);
        await primary.kill();
        await pause(PAUSE_MS);
        await primary.start();
      };
      const mongodbUrl = common.mongodbUrl.replace("/turnpike?", "/turnpike_cluster?");
      count(
        await runOn({ ...common, mongodbUrl, redisUrl: cluster.url }, [
          ["a primary of a Redis cluster is killed", fault],
        ]),
      );
    } finally {
      await cluster.stop();
    }
  } finally {
    await stores.nats.stop();
    await stores.mongodb.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
