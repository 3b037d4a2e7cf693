/**
 * Rehearses alerts on the running system: a real Prometheus scrapes every service with the chart's rules, with time
 * scaled thirty times faster. At the start nothing may fire. Then each fault is injected: its alerts must fire, no
 * others may fire except consequential ones, and all must resolve when the fault is over. Faults that take hours or are
 * outside the system are rehearsed by promtool only. An argument selects the faults whose name contains it.
 */
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openTestSite } from "../lib/test-site.ts";
import { startWorld } from "../lib/world.ts";
import { makeCertificates } from "./certificates.ts";
import { startPrometheus } from "./prometheus.ts";
import { REHEARSALS, listRehearsals } from "./rehearsals.ts";
import { sendCall, repeat, pause, type Rehearsal, type RehearsalContext } from "./rehearsal.ts";
import { createWatch, LASTING, type Watch } from "./watch.ts";

const FACTOR = 30;
const FIRES_WITHIN_MS = 150_000;
const ENDS_WITHIN_MS = 120_000;
const HEALTHY_MS = 20_000;
/** Settings under which a fault shows in minutes. */
const SETTINGS = { SPOOL_LIMIT_MB: "1", RECONCILIATION_SECONDS: "2" };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const failures: unknown[] = [];
const times = new Map<string, string>();

async function until(what: string, timeoutMs: number, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > timeoutMs) throw new Error(`${what} did not happen within ${timeoutMs / 1000} s`);
    await pause(250);
  }
  return Math.round((Date.now() - startedAt) / 1000);
}

async function rehearse(
  context: RehearsalContext,
  watch: Watch,
  { fault, alerts, inject, clear }: Rehearsal,
): Promise<void> {
  const startedAt = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedAt) / 1000);
  print(`${fault} …`);
  await until(`no alerts before the fault: ${fault}`, ENDS_WITHIN_MS, () => !alerts.some(watch.fires));
  await inject(context);
  const fired = alerts.map(async (name) => {
    await until(`${name} (${fault})`, FIRES_WITHIN_MS, () => watch.fires(name));
    const before = times.get(name);
    times.set(name, `${before === undefined ? "" : `${before}; `}fires after ${seconds()} s`);
    print(`  ${name} fires (${seconds()} s: ${fault})`);
  });
  const outcomes = await Promise.allSettled(fired);
  await clear(context);
  const endedAt = seconds();
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  await context.world.waitReady();
  const ended = alerts.map(async (name) => {
    await until(`resolution of ${name} (${fault})`, ENDS_WITHIN_MS, () => !watch.fires(name));
    times.set(name, `${times.get(name)}, resolves after ${seconds() - endedAt} s`);
  });
  await Promise.all(ended);
}

/** Runs the acts in order; alerts that last over several acts must have resolved at the end. */
async function runActs(context: RehearsalContext, watch: Watch, alert: string): Promise<void> {
  const acts = Map.groupBy(
    REHEARSALS.filter(({ fault }) => fault.includes(alert)),
    ({ act }) => act,
  );
  let lasting: readonly string[] = [];
  for (const [, rehearsals] of [...acts].toSorted(([one], [other]) => one - other)) {
    const expected = rehearsals.flatMap(({ alerts, alsoAllowed = [] }) => [...alerts, ...alsoAllowed]);
    watch.expect([...lasting, ...expected], rehearsals.map(({ fault }) => fault).join("; "));
    // A failure of one alert's rehearsal does not affect the others.
    await Promise.all(
      rehearsals.map((rehearsal) =>
        rehearse(context, watch, rehearsal).catch((error: unknown) => failures.push(error)),
      ),
    );
    await until("no alerts after the act", ENDS_WITHIN_MS, () => watch.isQuiet(...LASTING));
    lasting = LASTING.filter((name) => lasting.includes(name) || expected.includes(name));
  }
  watch.expect(lasting, "the end of all alerts");
  const seconds = await until("no alerts at the end", ENDS_WITHIN_MS, () => watch.isQuiet());
  print(`no alerts (${seconds} s)`);
}

async function waitForHealth({ world, prometheus }: RehearsalContext, watch: Watch): Promise<void> {
  const areRead = async (): Promise<boolean> => (await prometheus.targets()).every(({ health }) => health === "up");
  await until("a scrape of every service", 30_000, areRead);
  print(`Prometheus scrapes ${world.specs.map(({ name }) => name).join(", ")}`);
  await pause(HEALTHY_MS);
  if (watch.unexpected().length > 0) throw new Error(watch.unexpected().join("\n"));
  print("nothing fires on a healthy system");
}

const list = listRehearsals();
const startedAt = Date.now();
const upstream = await startFakeUpstream();
const certificates = makeCertificates();
const world = await startWorld({ env: { ...SETTINGS, GRPC_TLS_DIR: certificates.folder } });
const targets = world.specs.map(({ service, opsPort }) => ({ component: service, address: `127.0.0.1:${opsPort}` }));
const prometheus = await startPrometheus(targets, FACTOR);
const watch = createWatch(prometheus);
let stopCalling = (): Promise<void> => Promise.resolve();
try {
  const testSite = await openTestSite(world, upstream.url);
  const { key } = await testSite.token();
  const context: RehearsalContext = { world, upstream, testSite, key, prometheus, certificates };
  stopCalling = repeat(() => sendCall(context, "gpt-4o"), 100);
  await waitForHealth(context, watch);
  await runActs(context, watch, process.argv[2] ?? "");
  failures.push(...watch.unexpected());
} catch (error) {
  failures.push(error);
  for (const { name } of world.specs)
    console.error(`--- ${name}\n${world.log.last(name, 5).replaceAll(/^(.{300}).*$/gm, "$1 …")}`);
} finally {
  await stopCalling();
  await watch.stop();
  await prometheus.stop();
  await world.stop();
  await upstream.stop();
  certificates.remove();
}
for (const { alert, how } of list) print(`${alert.padEnd(28)} ${times.get(alert) ?? "not rehearsed live"} (${how})`);
for (const failure of failures) console.error(failure instanceof Error ? failure.message : failure);
if (failures.length > 0) process.exit(1);
print(`every alert fired and resolved (${Math.round((Date.now() - startedAt) / 1000)} s)`);
process.exit(0);
