/**
 * Installs the chart on the Kubernetes that KUBECONFIG names and makes calls through the Services. Then it upgrades the release, runs `helm test`, rolls every service, deletes a pod of each kind and scales the
 * relay under load: no call may fail, each call is logged and paid once, and the ledger check passes. At the end the backing
 * services restart: calls may be refused then, but the ledger check still passes.
 *
 * IMAGE_PREFIX (turnpike), IMAGE_TAG (dev): the images, which the cluster has or can pull. UPGRADE_TAG: the images to
 * upgrade to. CLUSTER_HOST (192.0.2.1): an address of this machine that pods can reach. Pods and Services must be
 * reachable from here. CLUSTER_VALUES: one more values file, for what this cluster needs. CLUSTER_RPS (100): calls per
 * second, half of them streams of five seconds; one of four goes through the gateway. CLUSTER_STEPS
 * (upgrade,helm-test,roll,delete,scale,backings): the steps under this load. CLUSTER_KEEP: leaves the release on the cluster.
 */
import { createConsoleClient } from "../lib/console-client.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { ROOT_USER, type World } from "../lib/world.ts";
import { startClusterBackings } from "./backing-servers.ts";
import { createLedger } from "./ledger.ts";
import { type LoadResult, startLoad } from "./load.ts";
import { createRelease, SERVICES } from "./release.ts";
import { type Step, settings } from "./cluster-settings.ts";

const BACKING_PAUSE_MS = 5_000;
const REACHED_WITHIN_MS = 30_000;
const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const backings = await startClusterBackings(settings.host);
const upstream = await startFakeUpstream({ host: settings.host });
upstream.always({ model: "gpt-4o" }, { pieces: 25, frameGapMs: 200 });
const release = createRelease(backings.urls);

/**
 * Ready pods become reachable through their Service a moment later, when the node has updated its rules; until then the
 * Service refuses connections.
 */
async function untilReached(url: string): Promise<void> {
  const untilMs = Date.now() + REACHED_WITHIN_MS;
  for (;;) {
    try {
      await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).body?.cancel();
      return;
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      await pause(200);
    }
  }
}

/** Calls directly and through the console's port. */
async function tryBoth(testSite: TestSite, key: string, urls: readonly string[]): Promise<LoadResult> {
  const trial = startLoad({ urls, key, perSecond: 4 });
  await pause(1_100);
  const result = await trial.stop();
  if (result.failures.length > 0 || result.requestIds.length < urls.length)
    throw new Error(`first calls: ${JSON.stringify(result.failures)}`);
  for (const request_id of result.requestIds)
    await testSite.eventually("its log row", 10_000, async () => (await testSite.logs({ request_id })).items[0]);
  return result;
}

async function disturb(load: ReturnType<typeof startLoad>): Promise<void> {
  const step = async (kind: Step, what: string, act: () => Promise<unknown>): Promise<void> => {
    if (!settings.steps.has(kind)) return;
    const [failedBefore, servedBefore, startedAtMs] = [load.failures(), load.responses(), Date.now()];
    await act();
    const seconds = (Date.now() - startedAtMs) / 1000;
    const rate = ((load.responses() - servedBefore) / seconds).toFixed(0);
    print(`${what}: ${load.failures() - failedBefore} calls failed, ${rate}/s served for ${seconds.toFixed(0)} s`);
  };
  await step("upgrade", "helm upgrade", release.upgrade);
  // It deletes a pod of relay and billing itself.
  await step("helm-test", "helm test", async () => print(await release.test()));
  for (const service of SERVICES) await step("roll", `rolling ${service}`, () => release.roll(service));
  for (const service of SERVICES)
    await step("delete", `deleting a pod of ${service}`, () => release.deletePod(service));
  for (const count of [1, 4, 2]) await step("scale", `relays to ${count}`, () => release.scale("relay", count));
  // Terminating pods still serve their open calls.
  await pause(10_000);
}

async function restartBackings(url: string, key: string): Promise<void> {
  const load = startLoad({ urls: [url], key, perSecond: Math.min(20, settings.callsPerSecond) });
  for (const name of ["nats", "mongodb", "redis"] as const) {
    await backings.restart(name);
    await pause(BACKING_PAUSE_MS);
    print(`restarted ${name}`);
  }
  const { requestIds, failures } = await load.stop();
  print(`with backing services restarting: ${requestIds.length} served, ${failures.length} refused`);
}

async function test(): Promise<boolean> {
  await release.install();
  print("installed and ready");
  const consoleUrl = `http://${await release.findAddress("gateway")}:3000`;
  const relayUrl = `http://${await release.findAddress("relay")}:3001`;
  await Promise.all([consoleUrl, relayUrl].map(untilReached));
  const visitor = () => createConsoleClient(consoleUrl);
  const root = async () => {
    const client = visitor();
    await client.login(ROOT_USER.username, ROOT_USER.password);
    return client;
  };
  const testSite = await openTestSite({ visitor, root } as unknown as World, upstream.url);
  const ledger = createLedger(testSite, backings.urls);
  const { key } = await testSite.token();
  const trial = await tryBoth(testSite, key, [relayUrl, consoleUrl]);
  print("chat calls work through both Services");

  const urls = [relayUrl, relayUrl, relayUrl, consoleUrl];
  const load = startLoad({ urls, key, perSecond: settings.callsPerSecond });
  await disturb(load);
  const result = await load.stop();
  const { requestIds, failures, resent, p99Ms } = result;
  print(`${requestIds.length} calls served, ${resent} of them sent again, ${failures.length} failed, p99 ${p99Ms} ms`);
  for (const failure of failures.slice(0, 20)) print(JSON.stringify(failure));
  // A failed call may be charged for the part it received.
  if (failures.length === 0) print(await ledger.checkCalls([trial, result]));
  print(await ledger.check());
  if (settings.steps.has("backings")) {
    await restartBackings(relayUrl, key);
    print(await ledger.check());
  }
  return failures.length === 0;
}

const outcome = await test().catch((error: unknown) => error);
const passed = outcome === true;
if (!passed) {
  print(await release.show().catch(String));
  // Last, where a reader looks first.
  console.error(outcome === false ? "calls failed: see above" : outcome);
}
if (!settings.isKept) await release.remove().catch(() => "");
await upstream.stop();
await backings.stopAll();
process.exit(passed ? 0 : 1);
