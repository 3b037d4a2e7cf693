import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, pause, say, startProgram } from "../bench.ts";
import { memoryMb } from "../measure.ts";
import { runStreams } from "../streams.ts";

const STREAMS = 512;
const FRAMES = 200;
/** After this time without calls a relay has released unused memory; short runs measure earlier. */
const GIVEN_BACK_SECONDS = 25;

/**
 * Many paced streams at once: lost and late frames, and the relay's memory before, during and after them; returns the
 * number of lost frames.
 */
export async function measureStreams(bench: Bench, idleMb: number, seconds: number): Promise<number> {
  const port = await freePort();
  const paced = await startProgram("paced-upstream.ts", [String(port), String(FRAMES)], OTHER_CORES);
  try {
    await bench.addModel("paced", `http://127.0.0.1:${port}`);
    const { url } = bench.target("relay", "stream");
    const run = (to: string) => runStreams({ url: to, key: bench.key, model: "paced" }, STREAMS, FRAMES);
    // Frames that are late without a relay are late because of the machine.
    const direct = await run(`http://127.0.0.1:${port}/v1/chat/completions`);
    const streams = await run(url);
    const busyMb = memoryMb(bench.relayPid());
    say(`\n${STREAMS} streams at once, a frame each 20 ms`);
    for (const [title, { frames, lost, late, p99Ms }] of Object.entries({ "upstream itself": direct, relay: streams }))
      say(`  ${title.padEnd(16)} ${frames} frames, ${lost} lost, ${late} late by 100 ms, p99 ${p99Ms.toFixed(1)} ms`);
    const restSeconds = Math.min(GIVEN_BACK_SECONDS, 10 * seconds);
    await pause(restSeconds * 1_000);
    say(
      `memory of the relay: ${idleMb} MB at the start, ${busyMb} MB with ${STREAMS} streams, ${memoryMb(bench.relayPid())} MB ${restSeconds} s later`,
    );
    return streams.lost;
  } finally {
    paced.kill();
  }
}
