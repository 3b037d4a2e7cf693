import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { freePort } from "../../scripts/process/ports.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type LoadTarget, pinProcess } from "./measure.ts";
import { startNginxProxy, startUpstream } from "./nginx.ts";

/** The measured program runs on one core, everything else on the others. */
export const RELAY_CORE = "0";
export const OTHER_CORES = "1";

export type Kind = "whole" | "stream";
const MODELS: Readonly<Record<Kind, string>> = { whole: "gpt-4", stream: "gpt-4-turbo" };
const CHAT = "/v1/chat/completions";
const CONTENT =
  "Say hello to the nice people of the turnpike, please, and tell them what today's toll is. Thanks a lot, and have a good day on the road.";

/** A running Turnpike between an instant upstream and the load client, with other proxies for comparison. */
export type Bench = {
  readonly world: World;
  readonly testSite: TestSite;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly relayPid: () => number;
  readonly relayPids: () => number[];
  /** The same call through the relay, through the other proxies, and directly to upstream. */
  readonly target: (through: "relay" | "bare proxy" | "undici proxy" | "nginx" | "upstream", kind: Kind) => LoadTarget;
  /** Connects a channel, of type OpenAI unless another is given, to an upstream; resolves when the relay serves its model. */
  readonly addModel: (model: string, baseUrl: string, type?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Further workers are relay-1, relay-2 and so on. */
const isRelay = (name: string): boolean => name.startsWith("relay");

function pinWorld(world: World): void {
  for (const { name } of world.specs) {
    const pid = world.pid(name);
    if (pid !== undefined) pinProcess(pid, isRelay(name) ? RELAY_CORE : OTHER_CORES);
  }
  for (const name of ["mongodb", "redis", "nats"] as const) {
    const pid = world.backingPid(name);
    if (pid !== undefined) pinProcess(pid, OTHER_CORES);
  }
}

/** Starts one of the programs in this folder, which prints "ready" when it listens. */
export async function startProgram(file: string, args: readonly string[], cores: string): Promise<ChildProcess> {
  const child = fork(resolve(import.meta.dirname, file), args);
  await new Promise((ready) => child.once("message", ready));
  if (child.pid !== undefined) pinProcess(child.pid, cores);
  return child;
}

async function setPrices(testSite: TestSite): Promise<void> {
  await testSite.root.put("/api/option/", { key: "fallback_pricing_enabled", value: "true" });
  await testSite.root.put("/api/option/", { key: "fallback_input_ratio", value: "1" });
  await testSite.root.put("/api/option/", { key: "fallback_completion_ratio", value: "1" });
}

async function setUp(world: World): Promise<{ testSite: TestSite; key: string; headers: Record<string, string> }> {
  const testSite = await openTestSite(world, "http://127.0.0.1:9");
  await setPrices(testSite);
  const { id } = await testSite.self();
  await testSite.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
  const { key } = await testSite.token({ remain_quota: 1_000_000_000_000 });
  return { testSite, key, headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } };
}

const getBody = (kind: Kind): string =>
  JSON.stringify({
    model: MODELS[kind],
    ...(kind === "stream" ? { stream: true } : {}),
    messages: [{ role: "user", content: CONTENT }],
  });

export async function startBench(relayWorkers = 1): Promise<Bench> {
  // The client too: on the relay's core it would compete with what it measures.
  pinProcess(process.pid, OTHER_CORES);
  const [upstreamPort, nginxPort] = [await freePort(), await freePort()];
  const [barePort, undiciPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${upstreamPort}`;
  const children = [
    startUpstream(upstreamPort, OTHER_CORES),
    startNginxProxy(nginxPort, upstreamPort, RELAY_CORE),
    await startProgram("bare-proxy.ts", [String(barePort), origin], RELAY_CORE),
    await startProgram("undici-proxy.ts", [String(undiciPort), origin], RELAY_CORE),
  ];
  const world = await startWorld({
    logLevel: "warn",
    relayWorkers,
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
  });
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill();
    await world.stop();
  };
  try {
    const { testSite, key, headers } = await setUp(world);
    const origins = {
      relay: world.relayUrl,
      upstream: origin,
      nginx: `http://127.0.0.1:${nginxPort}`,
      "bare proxy": `http://127.0.0.1:${barePort}`,
      "undici proxy": `http://127.0.0.1:${undiciPort}`,
    };
    const addModel = async (model: string, baseUrl: string, type = 1): Promise<void> => {
      await testSite.root.post("/api/channel/", {
        type,
        name: model,
        key: `${model}-key`,
        base_url: baseUrl,
        models: model,
        group: "default",
      });
      await testSite.eventually(`the model ${model}`, 5_000, async () =>
        (await fetch(`${world.relayUrl}/v1/models/${model}`, { headers })).ok ? true : undefined,
      );
    };
    for (const kind of ["whole", "stream"] as const) await addModel(MODELS[kind], `${origin}/${kind}`);
    pinWorld(world);
    return {
      world,
      testSite,
      key,
      headers,
      relayPid: () => world.pid("relay") ?? 0,
      relayPids: () => world.specs.flatMap(({ name }) => (isRelay(name) ? [world.pid(name) ?? 0] : [])),
      target: (through, kind) => {
        const path = through === "relay" ? CHAT : `/${kind}${CHAT}`;
        return { url: origins[through] + path, headers, body: getBody(kind) };
      },
      addModel,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
