import { readFileSync } from "node:fs";
import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, print, startProgram } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { memoryMb } from "../measure.ts";
import { percentile, runStreams } from "../streams.ts";

const STREAMS_MAX = 10_000;
const FRAMES = 20;
const GAP_MS = 1_000;
/** Streams open over this time, so that the test does not measure a rush of connections. */
const SPREAD_MS = 10_000;
/** Files that the relay opens besides two sockets per stream. */
const OTHER_FILES = 500;
const SAMPLE_MS = 500;

/** How many streams the relay may hold open: each takes two of the files that the system allows a process. */
function countStreams(relayPid: number): number {
  const limits = readFileSync(`/proc/${relayPid}/limits`, "utf8");
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0);
  return Math.min(STREAMS_MAX, Math.floor((files - OTHER_FILES) / 2));
}

/** Thousands of streams with an event a second each; returns the number of lost events. */
export async function measureSlowStreams(bench: Bench): Promise<number> {
  const pid = bench.relayPid();
  const streams = countStreams(pid);
  const port = await freePort();
  const upstream = await startProgram("paced-upstream.ts", [port, FRAMES, GAP_MS].map(String), OTHER_CORES);
  const startMb = memoryMb(pid);
  let mostMb = startMb;
  const sampler = setInterval(() => (mostMb = Math.max(mostMb, memoryMb(pid))), SAMPLE_MS);
  try {
    const model = "slow-streams";
    await bench.addModel(model, `http://127.0.0.1:${port}`);
    const target = { url: bench.target("relay", "stream").url, key: bench.key, model };
    const { lost, frames, delaysMs } = await runStreams(target, {
      streams,
      framesEach: FRAMES,
      spreadMs: SPREAD_MS,
    });
    const perStreamKb = ((mostMb - startMb) * 1_024) / streams;
    print(`\n${streams} open streams, one event a second each`);
    print(
      `  ${frames} events, ${lost} lost, delay p50 ${percentile(delaysMs, 0.5).toFixed(1)} ms, p99 ${percentile(delaysMs, 0.99).toFixed(1)} ms; memory ${startMb} MB before, at most ${mostMb} MB, ${perStreamKb.toFixed(0)} kB per stream`,
    );
    recordFigure(
      `${streams} open streams, an event a second`,
      `${lost} of ${frames} events lost, delay p99 ${percentile(delaysMs, 0.99).toFixed(0)} ms, at most ${mostMb} MB`,
    );
    return lost;
  } finally {
    clearInterval(sampler);
    upstream.kill();
  }
}
