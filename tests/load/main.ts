/**
 * The relay under load, in one run with its baselines: a bare Node proxy, one on undici, and nginx, all on the same
 * core, with the same upstream and the same load. The ratios are significant; absolute figures depend on the machine.
 * LOAD_SECONDS limits each measurement.
 */
import { isSettled } from "../lib/settled.ts";
import { type Bench, pause, print, startBench } from "./bench.ts";
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
/** Usage that two CPUs could not post during the calls is posted after them; latency is measured when that is done. */
const POSTING_MS = 180_000;

async function untilBooked({ world, testSite }: Bench): Promise<void> {
  const startedAt = Date.now();
  await testSite.eventually("the posting of all calls", POSTING_MS, async () => (await isSettled(world)) || undefined);
  print(`\nposting caught up ${((Date.now() - startedAt) / 1000).toFixed(0)} s after the last call`);
}

async function main(): Promise<number> {
  const bench = await startBench();
  let failed = 0;
  try {
    await pause(1_000);
    const idleMb = memoryMb(bench.relayPid());
    await warmUp(bench, Math.max(3, SECONDS));
    failed += await measureRates(bench, "whole", SECONDS);
    failed += await measureRates(bench, "stream", SECONDS);
    await untilBooked(bench);
    failed += await measureLatency(bench, "whole", SECONDS);
    failed += await measureLatency(bench, "stream", SECONDS);
    failed += await measurePacedStreams(bench, Math.min(5, SECONDS));
    failed += await measureStreams(bench, idleMb, SECONDS);
    failed += await measureConversions(bench, SECONDS);
    failed += await measureBodySizes(bench, SECONDS);
    failed += await measureSlowStreams(bench);
    failed += await measureBadKeys(bench, SECONDS);
    failed += await measureBigPrompts(bench);
    await measureSlowReaders(bench);
    failed += await measureBusySite(bench, SECONDS);
    const calls = [
      ...(await bench.world.metrics("relay")).matchAll(/^turnpike_grpc_client_calls_total\{.*\} (\d+)$/gm),
    ];
    print(`\ngRPC calls of the relay in the whole run: ${calls.reduce((sum, [, count]) => sum + Number(count), 0)}`);
  } finally {
    await bench.stop();
  }
  failed += await measureScaling(SECONDS);
  failed += await measureWorkers(SECONDS);
  print(failed === 0 ? "\nall responses were correct" : `\n${failed} responses were not correct`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
