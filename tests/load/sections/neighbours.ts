import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, pause, print, startProgram } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { floodWithKeys, latencyAt, memoryMb } from "../measure.ts";
import { percentile, runStreams } from "../streams.ts";

const GOOD_PER_SECOND = 100;
const BAD_PER_SECOND = 500;
const ROUNDS = 3;
/** Sampling interval of prom-client's event-loop lag metric: reported values include this time. */
const LOOP_RESOLUTION_MS = 10;
const STREAMS = 32;
const FRAMES = 250;
const GAP_MS = 20;
const BIG_PROMPT_BYTES = 1_000_000;
const SLOW_READERS = 20;
const SLOW_READING_MS = 5_000;
const STILL_SLOW_MS = 15_000;

/** How long the relay takes to refuse a key of an address that sends many unknown ones. */
const REFUSAL_DELAY_MS = 1_000;

const median = (values: readonly number[]): number =>
  values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0;

/**
 * Measures how much longer a valid caller waits while others send unknown keys. On a machine with two CPUs any flood
 * slows everything down; the same flood at the bare proxy, which shares the relay's core, shows how much of the delay
 * that is.
 */
export async function measureBadKeys(bench: Bench, seconds: number): Promise<number> {
  const cores = OTHER_CORES;
  const p50s = { alone: [] as number[], "bare proxy": [] as number[], relay: [] as number[] };
  let failed = 0;
  let refused = 0;
  const measureNextTo = async (neighbour: keyof typeof p50s): Promise<void> => {
    // The relay delays its refusals: as many keys a second need more connections there.
    const refusalMs = neighbour === "relay" ? REFUSAL_DELAY_MS : 0;
    const rate = { perSecond: BAD_PER_SECOND, refusalMs, seconds: seconds + 1, cores };
    const flood = neighbour === "alone" ? undefined : floodWithKeys(bench.target(neighbour, "whole"), rate);
    const { good } = await latencyAt(GOOD_PER_SECOND, seconds, { good: bench.target("relay", "whole") });
    p50s[neighbour].push(good?.whole.p50Ms ?? 0);
    failed += good?.whole.failed ?? 0;
    if (neighbour === "relay") refused = (await flood) ?? 0;
    await flood;
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const neighbour of ["alone", "bare proxy", "relay"] as const) await measureNextTo(neighbour);
  const [alone, bare, relay] = [median(p50s.alone), median(p50s["bare proxy"]), median(p50s.relay)];
  print(
    `\na valid caller at ${GOOD_PER_SECOND} calls a second: p50 ${alone.toFixed(2)} ms alone, ${relay.toFixed(2)} ms during ${refused.toFixed(0)} unknown keys a second, ${bare.toFixed(2)} ms during as many at the bare proxy (× ${(relay / bare).toFixed(2)})`,
  );
  recordFigure(
    `a known caller next to ${refused.toFixed(0)} unknown keys a second`,
    `× ${(relay / bare).toFixed(2)} of its time next to as many calls of the bare proxy`,
  );
  return failed;
}

/** The longest delay of the relay's event loop since the last call, in ms. */
async function longestStallMs({ world }: Bench): Promise<number> {
  const seconds = /^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)$/m.exec(await world.metrics("relay"))?.[1];
  return Math.max(0, Number(seconds ?? 0) * 1000 - LOOP_RESOLUTION_MS);
}

/** How much prompts of a megabyte delay the frames of concurrent streams. */
export async function measureBigPrompts(bench: Bench): Promise<number> {
  const port = await freePort();
  const paced = await startProgram("paced-upstream.ts", [port, FRAMES, GAP_MS].map(String), OTHER_CORES);
  try {
    await bench.addModel("paced-few", `http://127.0.0.1:${port}`);
    const { url } = bench.target("relay", "whole");
    const run = async (sendTo: string | undefined) => {
      const args = [sendTo ?? "", bench.key, String(BIG_PROMPT_BYTES)];
      const sender = sendTo === undefined ? undefined : await startProgram("prompt-sender.ts", args, OTHER_CORES);
      await longestStallMs(bench);
      const frames = await runStreams(
        { url, key: bench.key, model: "paced-few" },
        { streams: STREAMS, framesEach: FRAMES, spreadMs: 0 },
      );
      const stallMs = await longestStallMs(bench);
      if (!sender) return { ...frames, stallMs, sent: 0 };
      const reported = once(sender, "message") as Promise<[{ served: number }]>;
      sender.send("stop");
      const [{ served: sent }] = await reported;
      return { ...frames, stallMs, sent };
    };
    const runs = {
      "without other load": await run(undefined),
      "during prompts of 1 MB at the bare proxy": await run(bench.target("bare proxy", "whole").url),
      "during prompts of 1 MB": await run(url),
    };
    print(`\nframes of ${STREAMS} streams, and the longest delay of the relay's event loop`);
    for (const [title, { delaysMs, stallMs, sent }] of Object.entries(runs)) {
      const [p99Ms, slowestMs] = [percentile(delaysMs, 0.99), percentile(delaysMs, 1)];
      print(
        `  ${title.padEnd(41)} p99 ${p99Ms.toFixed(1).padStart(5)} ms  slowest ${slowestMs.toFixed(1).padStart(5)} ms  longest delay ${stallMs.toFixed(1).padStart(5)} ms  ${sent > 0 ? `${sent} prompts` : ""}`.trimEnd(),
      );
    }
    recordFigure(
      `prompts of 1 MB next to ${STREAMS} streams`,
      `longest event-loop delay ${runs["during prompts of 1 MB"].stallMs.toFixed(0)} ms (without them ${runs["without other load"].stallMs.toFixed(0)})`,
    );
    return Object.values(runs).reduce((lost, each) => lost + each.lost, 0);
  } finally {
    paced.kill();
  }
}

/** Requests an endless response and reads nothing of it. */
function slowReader(bench: Bench): () => void {
  const { hostname, port, pathname } = new URL(bench.target("relay", "stream").url);
  const body = JSON.stringify({ model: "torrent", stream: true, messages: [{ role: "user", content: "go" }] });
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${bench.key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return () => socket.destroy();
}

/** Memory used by callers that do not read, while upstream sends as fast as it can. */
export async function measureSlowReaders(bench: Bench): Promise<void> {
  const port = await freePort();
  const torrent = await startProgram("torrent-upstream.ts", [String(port)], OTHER_CORES);
  try {
    await bench.addModel("torrent", `http://127.0.0.1:${port}`);
    const before = memoryMb(bench.relayPid());
    const readers = Array.from({ length: SLOW_READERS }, () => slowReader(bench));
    await pause(SLOW_READING_MS);
    const first = memoryMb(bench.relayPid());
    // Garbage from filling the socket buffers is collected by then; further growth would be a leak.
    await pause(STILL_SLOW_MS);
    const later = memoryMb(bench.relayPid());
    for (const end of readers) end();
    print(
      `\n${SLOW_READERS} callers that read nothing: ${before} MB before, ${first} MB after ${SLOW_READING_MS / 1000} s, ${later} MB ${STILL_SLOW_MS / 1000} s later`,
    );
    recordFigure(`${SLOW_READERS} clients that read nothing`, `${later - before} MB more than without them`);
  } finally {
    torrent.kill();
  }
}
