import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, pause, say, startProgram } from "../bench.ts";
import { floodOfKeys, latencyAt, memoryMb } from "../measure.ts";
import { runStreams } from "../streams.ts";

const GOOD_PER_SECOND = 100;
const BAD_PER_SECOND = 500;
const STREAMS = 32;
const FRAMES = 250;
const BIG_PROMPT_BYTES = 1_000_000;
const SLOW_READERS = 20;
const SLOW_READING_MS = 5_000;

/** How much longer a good caller waits while others try keys that do not exist. */
export async function measureBadKeys(bench: Bench, seconds: number): Promise<number> {
  const good = async () => {
    const { good: result } = await latencyAt(GOOD_PER_SECOND, seconds, { good: bench.target("relay", "whole") });
    return result?.whole ?? { p50Ms: 0, p99Ms: 0, failed: 0 };
  };
  const alone = await good();
  const cores = OTHER_CORES;
  const flood = floodOfKeys(bench.target("relay", "whole"), { perSecond: BAD_PER_SECOND, seconds: seconds + 1, cores });
  const together = await good();
  const refused = await flood;
  say(
    `\na good caller at ${GOOD_PER_SECOND} calls a second: p50 ${alone.p50Ms.toFixed(2)} ms alone, ${together.p50Ms.toFixed(2)} ms (× ${(together.p50Ms / alone.p50Ms).toFixed(2)}) beside ${refused.toFixed(0)} unknown keys a second`,
  );
  return alone.failed + together.failed;
}

/** How much prompts of a megabyte delay the frames of streams that run beside them. */
export async function measureBigPrompts(bench: Bench): Promise<number> {
  const port = await freePort();
  const paced = await startProgram("paced-upstream.ts", [String(port), String(FRAMES)], OTHER_CORES);
  try {
    await bench.addModel("paced-few", `http://127.0.0.1:${port}`);
    const { url } = bench.target("relay", "whole");
    const run = () => runStreams({ url, key: bench.key, model: "paced-few" }, STREAMS, FRAMES);
    const alone = await run();
    const sender = await startProgram("prompt-sender.ts", [url, bench.key, String(BIG_PROMPT_BYTES)], OTHER_CORES);
    const together = await run();
    const told = once(sender, "message") as Promise<[{ answered: number }]>;
    sender.send("stop");
    const [{ answered: sent }] = await told;
    say(
      `\n${STREAMS} streams: frames p99 ${alone.p99Ms.toFixed(1)} ms, slowest ${alone.slowestMs.toFixed(1)} ms; beside ${sent} prompts of 1 MB p99 ${together.p99Ms.toFixed(1)} ms, slowest ${together.slowestMs.toFixed(1)} ms`,
    );
    return alone.lost + together.lost;
  } finally {
    paced.kill();
  }
}

/** Asks for an endless answer and reads nothing of it. */
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

/** What callers who do not read cost in memory, while upstream sends as fast as it can. */
export async function measureSlowReaders(bench: Bench): Promise<void> {
  const port = await freePort();
  const torrent = await startProgram("torrent-upstream.ts", [String(port)], OTHER_CORES);
  try {
    await bench.addModel("torrent", `http://127.0.0.1:${port}`);
    const before = memoryMb(bench.relayPid());
    const readers = Array.from({ length: SLOW_READERS }, () => slowReader(bench));
    await pause(SLOW_READING_MS);
    const held = memoryMb(bench.relayPid());
    for (const end of readers) end();
    say(
      `\n${SLOW_READERS} callers who read nothing for ${SLOW_READING_MS / 1000} s: ${before} MB before, ${held} MB then`,
    );
  } finally {
    torrent.kill();
  }
}
