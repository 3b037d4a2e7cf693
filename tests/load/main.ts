/**
 * The relay under load, in one run with its baselines: a bare Node proxy, one on undici, and nginx, all on the same
 * core, with the same upstream and the same load. The ratios are significant; absolute figures depend on the machine.
 * LOAD_SECONDS limits each measurement, LOAD_SCENES names some of the scenes. A run of all scenes, of at least three seconds each and
 * without a wrong response, writes its figures into docs/performance.md.
 */
import { resolve } from "node:path";
import { isSettled } from "../lib/settled.ts";
import { type Bench, pause, print, startBench } from "./bench.ts";
import { writeFigures } from "./figures.ts";
import { memoryMb } from "./measure.ts";
import { measureLatency } from "./sections/latency.ts";
import { measureBadKeys, measureBigPrompts, measureSlowReaders } from "./sections/neighbours.ts";
import { measureBodySizes } from "./sections/body-sizes.ts";
import { measureBusySite } from "./sections/busy-site.ts";
import { measureConversions } from "./sections/conversions.ts";
import { measureSlowStreams } from "./sections/slow-streams.ts";
import { measurePacedStreams } from "./sections/paced-streams.ts";
import { measureRates, warmUp } from "./sections/rates.ts";
import { measureScaling } from "./sections/scaling.ts";
import { measureStreams } from "./sections/streams.ts";
import { measureWorkers } from "./sections/workers.ts";

const SECONDS = Number(process.env["LOAD_SECONDS"] ?? 8);
/** Figures of shorter measurements are not published. */
const PUBLISHED_SECONDS_MIN = 3;
const DOCUMENT = resolve(import.meta.dirname, "../../docs/performance.md");
/** Usage that two CPUs could not post during the calls is posted after them; latency is measured when that is done. */
const POSTING_MS = 180_000;

async function untilPosted({ world, testSite }: Bench): Promise<void> {
  const startedAt = Date.now();
  await testSite.eventually("the posting of all calls", POSTING_MS, async () => (await isSettled(world)) || undefined);
  print(`\nposting caught up ${((Date.now() - startedAt) / 1000).toFixed(0)} s after the last call`);
}

type Scene = {
  readonly name: string;
  /** Returns how many responses were not correct. */
  readonly measure: (bench: Bench, idleMb: number) => Promise<number>;
};

/** In their order: memory is compared with what earlier scenes left. */
const SCENES: readonly Scene[] = [
  {
    name: "rates",
    measure: async (bench) => {
      const failed = (await measureRates(bench, "whole", SECONDS)) + (await measureRates(bench, "stream", SECONDS));
      await untilPosted(bench);
      return failed;
    },
  },
  {
    name: "latency",
    measure: async (bench) =>
      (await measureLatency(bench, "whole", SECONDS)) + (await measureLatency(bench, "stream", SECONDS)),
  },
  { name: "paced-streams", measure: (bench) => measurePacedStreams(bench, Math.min(5, SECONDS)) },
  { name: "streams", measure: (bench, idleMb) => measureStreams(bench, idleMb, SECONDS) },
  { name: "conversions", measure: (bench) => measureConversions(bench, SECONDS) },
  { name: "body-sizes", measure: (bench) => measureBodySizes(bench, SECONDS) },
  { name: "slow-streams", measure: measureSlowStreams },
  {
    name: "neighbours",
    measure: async (bench) => {
      const failed = (await measureBadKeys(bench, SECONDS)) + (await measureBigPrompts(bench));
      await measureSlowReaders(bench);
      return failed;
    },
  },
  { name: "busy-site", measure: (bench) => measureBusySite(bench, SECONDS) },
];

/** Scenes with relays of their own. */
const SEPARATE: readonly Scene[] = [
  { name: "scaling", measure: () => measureScaling(SECONDS) },
  { name: "workers", measure: () => measureWorkers(SECONDS) },
];

/** Throws for a name that is no scene. */
function chooseScenes(names: string): ReadonlySet<string> {
  const known = [...SCENES, ...SEPARATE].map(({ name }) => name);
  const chosen = names === "" ? known : names.split(",");
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`LOAD_SCENES: ${unknown} is none of ${known.join(", ")}`);
  return new Set(chosen);
}

async function main(): Promise<number> {
  const chosen = chooseScenes(process.env["LOAD_SCENES"] ?? "");
  const bench = await startBench();
  let failed = 0;
  try {
    await pause(1_000);
    const idleMb = memoryMb(bench.relayPid());
    await warmUp(bench, Math.max(3, SECONDS));
    for (const { name, measure } of SCENES) if (chosen.has(name)) failed += await measure(bench, idleMb);
    const calls = [
      ...(await bench.world.metrics("relay")).matchAll(/^turnpike_grpc_client_calls_total\{.*\} (\d+)$/gm),
    ];
    print(`\ngRPC calls of the relay in the whole run: ${calls.reduce((sum, [, count]) => sum + Number(count), 0)}`);
  } finally {
    await bench.stop();
  }
  for (const { name, measure } of SEPARATE) if (chosen.has(name)) failed += await measure(bench, 0);
  print(failed === 0 ? "\nall responses were correct" : `\n${failed} responses were not correct`);
  const isPublished = chosen.size === SCENES.length + SEPARATE.length && SECONDS >= PUBLISHED_SECONDS_MIN;
  if (failed === 0 && isPublished) {
    writeFigures(DOCUMENT);
    print("\ndocs/performance.md has the figures of this run");
  }
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
