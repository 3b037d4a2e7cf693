/**
 * The relay under load, in one run with two yardsticks: a bare Node proxy and nginx, all on the same core, with the same upstream
 * and the same load. What counts is the ratios; absolute figures depend on the machine. LOAD_SECONDS bounds each measurement.
 */
import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { freePort } from "../../scripts/process/ports.ts";
import { isSettled } from "../lib/settled.ts";
import { openShop } from "../lib/shop.ts";
import { startWorld, type World } from "../lib/world.ts";
import { latencyAt, type LoadTarget, memoryMb, pinProcess, throughput } from "./measure.ts";
import { startNginxProxy, startUpstream } from "./nginx.ts";
import { runStreams, startPacedUpstream } from "./streams.ts";

const SECONDS = Number(process.env["LOAD_SECONDS"] ?? 8);
const ROUNDS = 3;
/** Until its code is compiled a relay takes twice the time; one that serves for hours is not measured by its first seconds. */
const WARM_UP_SECONDS = Math.max(3, SECONDS * 2);
const CONNECTIONS = 64;
const STREAMS = 512;
const FRAMES = 200;
/** What two processors could not book beside the calls is booked after them; latency is measured when that is done. */
const BOOKING_MS = 180_000;
/** After this long without calls a relay has given back what it does not need. */
const GIVEN_BACK_MS = 25_000;
const RELAY_CORE = "0";
const OTHER_CORES = "1";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function pinWorld(world: World): void {
  for (const { name } of world.specs) {
    const pid = world.pid(name);
    if (pid !== undefined) pinProcess(pid, name === "relay" ? RELAY_CORE : OTHER_CORES);
  }
  for (const name of ["mongodb", "redis", "nats"] as const) {
    const pid = world.backingPid(name);
    if (pid !== undefined) pinProcess(pid, OTHER_CORES);
  }
}

async function startBareProxy(port: number, origin: string): Promise<ChildProcess> {
  const child = fork(resolve(import.meta.dirname, "bare-proxy.ts"), [String(port), origin]);
  await new Promise((ready) => child.once("message", ready));
  if (child.pid !== undefined) pinProcess(child.pid, RELAY_CORE);
  return child;
}

function bodyOf(model: string, stream: boolean): string {
  const content =
    "Say hello to the nice people of the turnpike, please, and tell them what today's toll is. Thanks a lot, and have a good day on the road.";
  return JSON.stringify({ model, ...(stream ? { stream } : {}), messages: [{ role: "user", content }] });
}

async function compare(title: string, targets: Readonly<Record<string, LoadTarget>>): Promise<number> {
  const rates = new Map(Object.keys(targets).map((name) => [name, [] as number[]]));
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, target] of Object.entries(targets)) {
      const result = await throughput(target, { seconds: SECONDS, connections: CONNECTIONS, cores: OTHER_CORES });
      rates.get(name)?.push(result.perSecond);
      failed += result.failed;
    }
  }
  const bare = median(rates.get("bare proxy") ?? []);
  say(`\n${title}, ${CONNECTIONS} connections, median of ${ROUNDS} × ${SECONDS} s`);
  for (const [name, values] of rates)
    say(
      `  ${name.padEnd(12)} ${median(values).toFixed(0).padStart(7)} /s   ${(median(values) / bare).toFixed(2)} of the bare proxy`,
    );
  if (failed > 0) say(`  ${failed} answers were not 2xx`);
  return failed;
}

async function main(): Promise<number> {
  const ports = {
    upstream: await freePort(),
    nginx: await freePort(),
    bare: await freePort(),
    paced: await freePort(),
  };
  const upstream = startUpstream(ports.upstream, OTHER_CORES);
  const nginx = startNginxProxy(ports.nginx, ports.upstream, RELAY_CORE);
  const bare = await startBareProxy(ports.bare, `http://127.0.0.1:${ports.upstream}`);
  const paced = await startPacedUpstream(ports.paced, FRAMES);
  const world = await startWorld({ logLevel: "warn", env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  let failed = 0;
  try {
    const shop = await openShop(world, `http://127.0.0.1:${ports.upstream}`);
    const add = (name: string, model: string, base: string) =>
      shop.root.post("/api/channel/", {
        type: 1,
        name,
        key: `${name}-key`,
        base_url: base,
        models: model,
        group: "default",
      });
    await add("whole", "gpt-4", `http://127.0.0.1:${ports.upstream}/whole`);
    await add("stream", "gpt-4-turbo", `http://127.0.0.1:${ports.upstream}/stream`);
    await add("paced", "paced", `http://127.0.0.1:${ports.paced}`);
    await shop.root.put("/api/option/", { key: "fallback_pricing_enabled", value: "true" });
    await shop.root.put("/api/option/", { key: "fallback_input_ratio", value: "1" });
    await shop.root.put("/api/option/", { key: "fallback_completion_ratio", value: "1" });
    const { id } = await shop.self();
    await shop.root.put("/api/user/", { id, quota: 1_000_000_000_000 });
    const { key } = await shop.token({ remain_quota: 1_000_000_000_000 });
    await pause(1_000);
    pinWorld(world);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const chat = "/v1/chat/completions";
    const targets = (kind: "whole" | "stream", model: string) => {
      const body = bodyOf(model, kind === "stream");
      const at = (port: number): LoadTarget => ({ url: `http://127.0.0.1:${port}/${kind}${chat}`, headers, body });
      return {
        "bare proxy": at(ports.bare),
        nginx: at(ports.nginx),
        relay: { url: world.relayUrl + chat, headers, body },
      };
    };
    const relayPid = world.pid("relay") ?? 0;
    const idleMb = memoryMb(relayPid);
    await throughput(targets("whole", "gpt-4").relay, {
      seconds: WARM_UP_SECONDS,
      connections: CONNECTIONS,
      cores: OTHER_CORES,
    });

    failed += await compare("whole answers", targets("whole", "gpt-4"));
    failed += await compare("streamed answers (17 frames)", targets("stream", "gpt-4-turbo"));

    const booking = Date.now();
    await shop.eventually("the booking of all calls", BOOKING_MS, async () => (await isSettled(world)) || undefined);
    say(`\nbooking caught up ${((Date.now() - booking) / 1000).toFixed(0)} s after the last call`);

    const { "bare proxy": bareTarget, relay } = targets("stream", "gpt-4-turbo");
    const upstreamTarget = { ...bareTarget, url: bareTarget.url.replace(`:${ports.bare}`, `:${ports.upstream}`) };
    const latency: Awaited<ReturnType<typeof latencyAt>> = {};
    // One after the other: together they would be a load of their own.
    for (const [name, target] of Object.entries({ upstream: upstreamTarget, "bare proxy": bareTarget, relay }))
      Object.assign(latency, await latencyAt(500, SECONDS, { [name]: target }));
    say(`\nlatency at 500 calls a second, streamed, in ms (added = above upstream itself)`);
    for (const [name, { whole, firstByte }] of Object.entries(latency)) {
      const added = (of: "whole" | "firstByte", at: "p50Ms" | "p99Ms"): string =>
        (latency[name]![of][at] - latency["upstream"]![of][at]).toFixed(2);
      say(
        `  ${name.padEnd(12)} p50 ${whole.p50Ms.toFixed(2)} (+${added("whole", "p50Ms")})  p99 ${whole.p99Ms.toFixed(2)} (+${added("whole", "p99Ms")})  first byte p99 ${firstByte.p99Ms.toFixed(2)} (+${added("firstByte", "p99Ms")})  failed ${whole.failed}`,
      );
      failed += whole.failed;
    }

    await shop.eventually("the paced channel", 5_000, async () =>
      (await fetch(`${world.relayUrl}/v1/models/paced`, { headers })).ok ? true : undefined,
    );
    const streams = await runStreams({ url: world.relayUrl + chat, key }, STREAMS, FRAMES);
    const busyMb = memoryMb(relayPid);
    say(
      `\n${STREAMS} streams at once, a frame each 20 ms: ${streams.frames} frames, ${streams.lost} lost, ${streams.late} late by 100 ms, p99 ${streams.p99Ms.toFixed(1)} ms`,
    );
    await pause(GIVEN_BACK_MS);
    say(
      `memory of the relay: ${idleMb} MB at the start, ${busyMb} MB with ${STREAMS} streams, ${memoryMb(relayPid)} MB ${GIVEN_BACK_MS / 1000} s later`,
    );
    failed += streams.lost;

    const grpc = [...(await world.metrics("relay")).matchAll(/^turnpike_grpc_client_calls_total\{.*\} (\d+)$/gm)].map(
      ([, count]) => Number(count),
    );
    say(`gRPC calls the relay made in the whole run: ${grpc.reduce((sum, count) => sum + count, 0)}`);
    writeFileSync(resolve(world.dataFolder, "load.json"), JSON.stringify({ failed }));
  } finally {
    for (const child of [upstream, nginx, bare]) child.kill();
    paced.closeAllConnections();
    paced.close();
    await world.stop();
  }
  say(failed === 0 ? "\nall answers were good" : `\n${failed} answers were not good`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
