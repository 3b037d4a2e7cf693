/**
 * Rehearses alerts on the running system: a real Prometheus reads every service by the chart's own rules, with time running
 * thirty times faster. First nothing may fire; then each trouble is made, its alerts must come, no others may but those that
 * follow from it, and all must go when the trouble is over. What is listed in REHEARSED_BY_PROMTOOL is rehearsed there.
 * An argument picks the troubles whose name holds it.
 */
import { readFileSync } from "node:fs";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openShop } from "../lib/shop.ts";
import { startWorld } from "../lib/world.ts";
import { RULES, startPrometheus } from "./prometheus.ts";
import { ask, type Rehearsal, REHEARSALS, REHEARSED_BY_PROMTOOL, type Scene } from "./rehearsals.ts";

const FACTOR = 30;
const FIRES_WITHIN_MS = 150_000;
const ENDS_WITHIN_MS = 150_000;
/** Without thresholds in time: a slow machine that runs this beside other things may meet them by itself. */
const OF_THE_MACHINE = new Set(["TurnpikeLatencyBudget", "TurnpikeEventLoopSlow"]);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function until(what: string, timeoutMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = Date.now();
  while (!(await isSo().catch(() => false))) {
    if (Date.now() - startedAt > timeoutMs) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await pause(500);
  }
  return Math.round((Date.now() - startedAt) / 1000);
}

/** Healthy calls as long as somebody wants them, ten a second. */
function keepCalling(scene: Scene): () => void {
  const timer = setInterval(() => void ask(scene, "gpt-4o").catch(() => 0), 100);
  return () => clearInterval(timer);
}

/** Every alert of the rules is rehearsed here or there. */
function checkCoverage(): void {
  const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
  const rehearsed = new Set([...REHEARSALS.flatMap((rehearsal) => rehearsal.alerts), ...REHEARSED_BY_PROMTOOL]);
  const missing = alerts.filter((name) => !rehearsed.has(name));
  if (missing.length > 0) throw new Error(`nobody rehearses ${missing.join(", ")}`);
}

async function rehearse(scene: Scene, { trouble, alerts, make, end }: Rehearsal): Promise<void> {
  const firing = async (): Promise<string[]> => [...new Set((await scene.prometheus.firing()).map(({ name }) => name))];
  const fires = async (name: string): Promise<boolean> => (await firing()).includes(name);
  say(trouble);
  await make(scene);
  for (const name of alerts) {
    const seconds = await until(`${name} (${trouble})`, FIRES_WITHIN_MS, () => fires(name));
    say(`  ${name} fires (${seconds} s)`);
  }
  const others = (await firing()).filter((name) => !alerts.includes(name));
  if (others.length > 0) say(`  beside it: ${others.join(", ")}`);
  await end(scene);
  await scene.world.waitReady();
  const seconds = await until(`the end of ${trouble}`, ENDS_WITHIN_MS, async () =>
    (await firing()).every((name) => OF_THE_MACHINE.has(name)),
  );
  say(`  all is quiet again (${seconds} s)`);
}

checkCoverage();
const upstream = await startFakeUpstream();
const world = await startWorld({ env: { SPOOL_LIMIT_MB: "1" } });
const targets = world.specs.map(({ service, opsPort }) => ({ component: service, address: `127.0.0.1:${opsPort}` }));
const prometheus = await startPrometheus(targets, FACTOR);
let failure: unknown;
let stopCalling: () => void = () => undefined;
try {
  const shop = await openShop(world, upstream.url);
  const { key } = await shop.token();
  const scene: Scene = { world, upstream, shop, key, prometheus };
  stopCalling = keepCalling(scene);
  await until("a reading of every service", 30_000, async () =>
    (await prometheus.targets()).every(({ health }) => health === "up"),
  );
  say(`Prometheus reads ${targets.length} services`);
  await pause(20_000);
  const early = (await prometheus.firing()).filter(({ name }) => !OF_THE_MACHINE.has(name));
  if (early.length > 0) throw new Error(`fires without a trouble: ${JSON.stringify(early)}`);
  say("nothing fires on a healthy system");
  const wanted = process.argv[2] ?? "";
  for (const rehearsal of REHEARSALS) if (rehearsal.trouble.includes(wanted)) await rehearse(scene, rehearsal);
} catch (error) {
  failure = error;
} finally {
  stopCalling();
  await prometheus.stop();
  await world.stop();
  await upstream.stop();
}
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
say("every alert came and went");
process.exit(0);
