/**
 * A busy reseller: many users with several keys each, all dialects, half of the calls streams, failing upstreams, at a
 * steady rate for some minutes. Reports what each process used per call, and whether every call is charged according to
 * its outcome. RESELLER_MINUTES (10), RESELLER_RATE (calls per second, 60), RESELLER_USERS (20), RESELLER_SEED.
 */
import { availableParallelism, loadavg } from "node:os";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../lib/settled.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type Customer, keepCalling, type Seen } from "./reseller/caller.ts";
import { mustBeExact } from "./reseller/exactness.ts";
import { KINDS } from "./reseller/mix.ts";
import { lookAtProcesses, type Spent } from "./reseller/processes.ts";

const figure = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const MINUTES = figure("RESELLER_MINUTES", 10);
const RATE = figure("RESELLER_RATE", 60);
const USERS = figure("RESELLER_USERS", 20);
const SEED = figure("RESELLER_SEED", 1);
const TOKENS_EACH = 5;
const BALANCE = 1_000_000_000;
const FAILURE_MS = 20_000;
const POSTING_MS = 180_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function openCustomers(testSite: TestSite): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let index = 0; index < USERS; index++) {
    const { id, client } = await testSite.createUser(BALANCE);
    for (let token = 0; token < TOKENS_EACH; token++) {
      // Some keys have a budget of their own, some a request limit that is never reached.
      const fields = token === 0 ? { unlimited_quota: true } : token === 1 ? { rate_limit_requests: 100_000 } : {};
      customers.push({ userId: id, key: (await testSite.token(fields, client)).key });
    }
  }
  return customers;
}

/** A second channel for the busiest model, whose upstream alternates between healthy and failing every call. */
async function addMoodyChannel(testSite: TestSite, upstream: FakeUpstream): Promise<() => void> {
  const key = "up-moody-key";
  const channel = { type: 1, name: "moody", key, base_url: upstream.url, models: "gpt-4o", group: "default" };
  await testSite.root.post("/api/channel/", channel);
  await testSite.root.put("/api/option/", { key: "RetryTimes", value: "2" });
  let isIll = false;
  const timer = setInterval(() => {
    isIll = !isIll;
    upstream.calls.splice(0);
    upstream.always({ key }, isIll ? { refuse: { status: 500 } } : {});
  }, FAILURE_MS);
  return () => clearInterval(timer);
}

function printOutcomes(seen: readonly Seen[]): void {
  for (const { name, fails } of KINDS) {
    const calls = seen.filter(({ kind }) => kind === name);
    const served = calls.filter(({ outcome }) => outcome === "served");
    const times = served.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number): string => `${Math.round(times[Math.floor(times.length * share)] ?? 0)} ms`;
    const ends = fails ? "" : `, p50 ${at(0.5)}, p99 ${at(0.99)}`;
    print(`  ${name.padEnd(26)} ${String(calls.length).padStart(6)} calls, ${served.length} served${ends}`);
  }
}

function printCost(before: readonly Spent[], after: readonly Spent[], calls: number, seconds: number): void {
  print(`\n  ${"process".padEnd(12)} CPU per call   share of a core   memory`);
  for (const { name, cpuSeconds, memoryMb } of after) {
    const start = before.find((spent) => spent.name === name);
    const used = cpuSeconds - (start?.cpuSeconds ?? 0);
    const perCall = `${((used / calls) * 1_000).toFixed(2)} ms`;
    const share = `${((used / seconds) * 100).toFixed(0)} %`;
    print(`  ${name.padEnd(12)} ${perCall.padEnd(14)} ${share.padEnd(17)} ${start?.memoryMb ?? 0} → ${memoryMb} MB`);
  }
}

async function runDay(world: World, upstream: FakeUpstream): Promise<number> {
  const testSite = await openTestSite(world, upstream.url);
  const customers = await openCustomers(testSite);
  const calm = await addMoodyChannel(testSite, upstream);
  print(`${USERS} users, ${customers.length} keys, ${RATE} calls a second for ${MINUTES} minutes`);
  print(
    `${availableParallelism()} processors, load average at the start ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
  const warm = await keepCalling({ url: world.relayUrl, customers, ratePerSecond: RATE, seconds: 10, seed: SEED + 1 });
  const before = lookAtProcesses(world);
  const startedAt = Date.now();
  const seen = await keepCalling({
    url: world.relayUrl,
    customers,
    ratePerSecond: RATE,
    seconds: MINUTES * 60,
    seed: SEED,
  });
  const seconds = (Date.now() - startedAt) / 1_000;
  calm();
  await testSite.eventually("the posting of all calls", POSTING_MS, async () => (await isSettled(world)) || undefined);
  const after = lookAtProcesses(world);
  print(`${seen.length} calls in ${seconds.toFixed(0)} s, load average at the end ${loadavg()[0]?.toFixed(1)}`);
  printOutcomes(seen);
  printCost(before, after, seen.length, seconds);
  const failing = new Set(KINDS.filter(({ fails }) => fails).map(({ name }) => name));
  const lost = seen.filter(({ kind, outcome }) => !failing.has(kind) && outcome !== "served");
  print(`\n${lost.length} calls failed that should not have${lost.length > 0 ? `: ${JSON.stringify(lost[0])}` : ""}`);
  print(await mustBeExact(world, [...warm, ...seen]));
  return lost.length;
}

const upstream = await startFakeUpstream();
const world = await startWorld();
let failed = 1;
try {
  failed = await runDay(world, upstream);
} catch (error) {
  console.error(error);
} finally {
  await world.stop();
  await upstream.stop();
}
process.exit(failed === 0 ? 0 : 1);
