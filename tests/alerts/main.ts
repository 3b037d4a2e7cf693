/**
 * Rehearses alerts on the running system: a real Prometheus scrapes every service with the chart's rules, with time
 * scaled thirty times faster. At the start nothing may fire. Then each fault is injected: its alerts must fire, no
 * others may fire except consequential ones, and all must resolve when the fault is over. Faults that take hours or are
 * outside the system are rehearsed by promtool only. An argument selects the faults whose name contains it.
 */
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openShop } from "../lib/shop.ts";
import { startWorld } from "../lib/world.ts";
import { makeCertificates } from "./certificates.ts";
import { startPrometheus } from "./prometheus.ts";
import { REHEARSALS, rehearsalsOfAlerts } from "./rehearsals.ts";
import { ask, keepDoing, pause, type Rehearsal, type Scene } from "./scene.ts";
import { createWatch, LASTING, type Watch } from "./watch.ts";

const FACTOR = 30;
const FIRES_WITHIN_MS = 150_000;
const ENDS_WITHIN_MS = 120_000;
const HEALTHY_MS = 20_000;
/** Settings under which a fault shows in minutes. */
const SETTINGS = { SPOOL_LIMIT_MB: "1", BOOKS_CHECK_SECONDS: "2" };

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const failures: unknown[] = [];
const times = new Map<string, string>();

async function until(what: string, timeoutMs: number, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > timeoutMs) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await pause(250);
  }
  return Math.round((Date.now() - startedAt) / 1000);
}

async function rehearse(scene: Scene, watch: Watch, { trouble, alerts, make, end }: Rehearsal): Promise<void> {
  const startedAt = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedAt) / 1000);
  say(`${trouble} …`);
  await until(`silence before ${trouble}`, ENDS_WITHIN_MS, () => !alerts.some(watch.fires));
  await make(scene);
  const fired = alerts.map(async (name) => {
    await until(`${name} (${trouble})`, FIRES_WITHIN_MS, () => watch.fires(name));
    const before = times.get(name);
    times.set(name, `${before === undefined ? "" : `${before}; `}fires after ${seconds()} s`);
    say(`  ${name} fires (${seconds()} s: ${trouble})`);
  });
  const outcomes = await Promise.allSettled(fired);
  await end(scene);
  const endedAt = seconds();
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  await scene.world.waitReady();
  const ended = alerts.map(async (name) => {
    await until(`the end of ${name} (${trouble})`, ENDS_WITHIN_MS, () => !watch.fires(name));
    times.set(name, `${times.get(name)}, is gone after ${seconds() - endedAt} s`);
  });
  await Promise.all(ended);
}

/** The acts in order; alerts that last over several acts must have resolved at the end. */
async function playAll(scene: Scene, watch: Watch, wanted: string): Promise<void> {
  const acts = Map.groupBy(
    REHEARSALS.filter(({ trouble }) => trouble.includes(wanted)),
    ({ act }) => act,
  );
  let lasting: readonly string[] = [];
  for (const [, troubles] of [...acts].toSorted(([one], [other]) => one - other)) {
    const expected = troubles.flatMap(({ alerts, beside = [] }) => [...alerts, ...beside]);
    watch.expect([...lasting, ...expected], troubles.map(({ trouble }) => trouble).join("; "));
    // A failure of one alert's rehearsal does not affect the others.
    await Promise.all(
      troubles.map((rehearsal) => rehearse(scene, watch, rehearsal).catch((error: unknown) => failures.push(error))),
    );
    await until("silence after the act", ENDS_WITHIN_MS, () => watch.isQuiet(...LASTING));
    lasting = LASTING.filter((name) => lasting.includes(name) || expected.includes(name));
  }
  watch.expect(lasting, "all was over");
  const seconds = await until("silence at the end", ENDS_WITHIN_MS, () => watch.isQuiet());
  say(`all is quiet (${seconds} s)`);
}

async function waitForHealth({ world, prometheus }: Scene, watch: Watch): Promise<void> {
  const areRead = async (): Promise<boolean> => (await prometheus.targets()).every(({ health }) => health === "up");
  await until("a reading of every service", 30_000, areRead);
  say(`Prometheus reads ${world.specs.map(({ name }) => name).join(", ")}`);
  await pause(HEALTHY_MS);
  if (watch.faults().length > 0) throw new Error(watch.faults().join("\n"));
  say("nothing fires on a healthy system");
}

const list = rehearsalsOfAlerts();
const startedAt = Date.now();
const upstream = await startFakeUpstream();
const certificates = makeCertificates();
const world = await startWorld({ env: { ...SETTINGS, GRPC_TLS_DIR: certificates.folder } });
const targets = world.specs.map(({ service, opsPort }) => ({ component: service, address: `127.0.0.1:${opsPort}` }));
const prometheus = await startPrometheus(targets, FACTOR);
const watch = createWatch(prometheus);
let stopCalling = (): Promise<void> => Promise.resolve();
try {
  const shop = await openShop(world, upstream.url);
  const { key } = await shop.token();
  const scene: Scene = { world, upstream, shop, key, prometheus, certificates };
  stopCalling = keepDoing(() => ask(scene, "gpt-4o"), 100);
  await waitForHealth(scene, watch);
  await playAll(scene, watch, process.argv[2] ?? "");
  failures.push(...watch.faults());
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
for (const { alert, how } of list) say(`${alert.padEnd(28)} ${times.get(alert) ?? "not live here"} (${how})`);
for (const failure of failures) console.error(failure instanceof Error ? failure.message : failure);
if (failures.length > 0) process.exit(1);
say(`every alert came and went (${Math.round((Date.now() - startedAt) / 1000)} s)`);
process.exit(0);
