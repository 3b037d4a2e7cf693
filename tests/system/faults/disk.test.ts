import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runCalls } from "../../fault/calls.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key = "";
// Its own servers: NATS is stopped.
beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  ({ key } = await testSite.token());
  await call();
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world.stop();
  await upstream.stop();
});

async function call() {
  const [result] = await runCalls({ url: world.relayUrl, key, count: 1, concurrency: 1, stream: true });
  if (!result) throw new Error("no call was made");
  return result;
}
const readRow = (requestId: string) =>
  testSite.eventually(`the row of ${requestId}`, 60_000, async () => {
    return (await testSite.logs({ request_id: requestId }).catch(() => undefined))?.items[0];
  });

/** The disk takes nothing in the place of the relay's folder: whoever runs the tests may write to read-only folders. */
function breakDisk(): () => void {
  const spool = join(world.dataFolder, "spool");
  for (const name of readdirSync(spool)) rmSync(join(spool, name), { recursive: true });
  rmSync(spool, { recursive: true });
  writeFileSync(spool, "");
  return () => {
    if (statSync(spool).isFile()) rmSync(spool);
    mkdirSync(spool, { recursive: true });
  };
}

/** Makes calls until one is refused because usage can be stored nowhere; returns those that were served. */
async function callUntilRefused(): Promise<Awaited<ReturnType<typeof call>>[]> {
  const served: Awaited<ReturnType<typeof call>>[] = [];
  await testSite.eventually("a refused call", 60_000, async () => {
    const result = await call();
    if (result.outcome === "served") served.push(result);
    return result.status === 503 || undefined;
  });
  return served;
}
async function callUntilServed() {
  return testSite.eventually("a served call", 60_000, async () => {
    const result = await call();
    return result.outcome === "served" ? result : undefined;
  });
}
async function mustBeCharged(calls: readonly { requestId: string; quota: number }[]): Promise<void> {
  for (const { requestId, quota } of calls) expect((await readRow(requestId)).quota).toBe(quota);
  await testSite.eventually("the posting of all calls", 60_000, async () => (await isSettled(world)) || undefined);
  await ledgerCheck(world);
}

it("serves calls without a disk while NATS takes their usage", async () => {
  const repair = breakDisk();
  const calls = await Promise.all(Array.from({ length: 20 }, call));
  expect(calls.map(({ outcome }) => outcome)).toEqual(calls.map(() => "served"));
  await mustBeCharged(calls);
  repair();
}, 120_000);

it("refuses calls while usage cannot be stored in NATS or on disk, serves again when NATS is back, and loses none", async () => {
  const repair = breakDisk();
  await world.stopBacking("nats");
  const served = await callUntilRefused();
  await world.startBacking("nats");
  await mustBeCharged([...served, await callUntilServed()]);
  repair();
}, 180_000);

it("serves again when the disk is back although NATS is down, and loses none", async () => {
  const repair = breakDisk();
  await world.stopBacking("nats");
  const served = await callUntilRefused();
  repair();
  const again = await callUntilServed();
  await world.startBacking("nats");
  await mustBeCharged([...served, again]);
}, 180_000);
