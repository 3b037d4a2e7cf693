import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, pause, print, startProgram } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { memoryMb } from "../measure.ts";
import { percentile, runStreams, type StreamTimes } from "../streams.ts";

const STREAMS = 512;
const FRAMES = 200;
const GAP_MS = 20;
const LATE_MS = 100;
/** After this time without calls a relay has released unused memory; short runs measure earlier. */
const RELEASE_SECONDS = 25;

/**
 * Many paced streams at once: lost and late frames, and the relay's memory before, during and after them; returns the
 * number of lost frames.
 */
export async function measureStreams(bench: Bench, idleMb: number, seconds: number): Promise<number> {
  const port = await freePort();
  const paced = await startProgram("paced-upstream.ts", [port, FRAMES, GAP_MS].map(String), OTHER_CORES);
  try {
    await bench.addModel("paced", `http://127.0.0.1:${port}`);
    const { url } = bench.target("relay", "stream");
    const run = (to: string): Promise<StreamTimes> =>
      runStreams({ url: to, key: bench.key, model: "paced" }, { streams: STREAMS, framesEach: FRAMES, spreadMs: 0 });
    // Frames that are late without a relay are late because of the machine.
    const direct = await run(`http://127.0.0.1:${port}/v1/chat/completions`);
    const streams = await run(url);
    const busyMb = memoryMb(bench.relayPid());
    print(`\n${STREAMS} streams at once, one frame every ${GAP_MS} ms`);
    for (const [title, { frames, lost, delaysMs }] of Object.entries({ "upstream itself": direct, relay: streams })) {
      const late = delaysMs.filter((delayMs) => delayMs >= LATE_MS).length;
      const p99 = percentile(delaysMs, 0.99).toFixed(1);
      print(`  ${title.padEnd(16)} ${frames} frames, ${lost} lost, ${late} late by ${LATE_MS} ms, p99 ${p99} ms`);
    }
    const restSeconds = Math.min(RELEASE_SECONDS, 10 * seconds);
    await pause(restSeconds * 1_000);
    print(
      `memory of the relay: ${idleMb} MB at the start, ${busyMb} MB with ${STREAMS} streams, ${memoryMb(bench.relayPid())} MB ${restSeconds} s later`,
    );
    const late = streams.delaysMs.filter((delayMs) => delayMs >= LATE_MS).length;
    recordFigure(
      `${STREAMS} streams, a frame every ${GAP_MS} ms`,
      `${streams.lost} of ${streams.frames} frames lost, ${late} late by ${LATE_MS} ms`,
    );
    recordFigure("memory of the relay", `${idleMb} MB at the start, ${busyMb} MB with ${STREAMS} streams`);
    return streams.lost;
  } finally {
    paced.kill();
  }
}
