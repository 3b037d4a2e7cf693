/**
 * Rehearses alerts on the running system: a real Prometheus reads every service by the chart's own rules, with time running
 * thirty times faster. First nothing may fire; then each trouble is made, its alert must come, and go when the trouble is over.
 * Those that take hours or a broken ledger are rehearsed by promtool (rules.test.yaml).
 */
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openShop, type Shop } from "../lib/shop.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";

const FACTOR = 30;
const FIRES_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 120_000;

type Scene = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly shop: Shop;
  readonly key: string;
  readonly prometheus: Prometheus;
};
type Rehearsal = {
  readonly trouble: string;
  readonly alerts: readonly string[];
  readonly make: (scene: Scene) => Promise<unknown>;
  readonly end: (scene: Scene) => Promise<unknown>;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function ask({ world, key }: Scene, model: string): Promise<number> {
  const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}

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

const custom = ({ shop }: Scene): number => shop.channelIds["custom"] ?? 0;

const REHEARSALS: readonly Rehearsal[] = [
  {
    trouble: "messaging does not answer",
    alerts: ["TurnpikeServiceDown"],
    make: ({ world }) => world.suspend("messaging"),
    end: ({ world }) => world.resume("messaging"),
  },
  {
    trouble: "a provider refuses a channel's only key",
    alerts: ["TurnpikeChannelDown"],
    make: async (scene) => {
      await scene.shop.root.put("/api/option/", { key: "AutomaticDisableChannelEnabled", value: "true" });
      const refuse = { status: 401, message: "Incorrect API key provided", code: "invalid_api_key" };
      scene.upstream.always({ model: "deepseek-chat" }, { refuse });
      await ask(scene, "deepseek-chat");
    },
    end: async (scene) => {
      scene.upstream.reset();
      await scene.shop.root.put("/api/option/", { key: "AutomaticDisableChannelEnabled", value: "false" });
      return scene.shop.root.put("/api/channel/", { id: custom(scene), status: 1 });
    },
  },
  {
    trouble: "an upstream fails every call to one model",
    alerts: ["TurnpikeErrorBudgetFast", "TurnpikeChannelFailing"],
    make: async (scene) => {
      scene.upstream.always({ model: "gpt-4o-mini" }, { refuse: { status: 500 } });
      for (let call = 0; call < 400; call++) {
        await ask(scene, "gpt-4o-mini");
        await pause(25);
      }
    },
    end: async ({ upstream }) => upstream.reset(),
  },
  {
    trouble: "NATS is away while calls go on",
    alerts: ["TurnpikeBackingDown", "TurnpikeSpoolFilling"],
    make: async (scene) => {
      await scene.world.stopBacking("nats");
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let call = 0; call < 60; call++) await ask(scene, "gpt-4o");
        }),
      );
    },
    end: ({ world }) => world.startBacking("nats"),
  },
];

async function rehearse(scene: Scene, { trouble, alerts, make, end }: Rehearsal): Promise<void> {
  const fires = async (name: string): Promise<boolean> =>
    (await scene.prometheus.firing()).some((alert) => alert.name === name);
  await make(scene);
  for (const name of alerts) {
    const seconds = await until(`${name} (${trouble})`, FIRES_WITHIN_MS, () => fires(name));
    say(`  ${trouble}: ${name} fires (${seconds} s)`);
  }
  await end(scene);
  for (const name of alerts) {
    const seconds = await until(`the end of ${name}`, ENDS_WITHIN_MS, async () => !(await fires(name)));
    say(`  ${name} is over (${seconds} s)`);
  }
}

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
  const early = await prometheus.firing();
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
