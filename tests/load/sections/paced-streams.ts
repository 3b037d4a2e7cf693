import { freePort } from "../../../scripts/process/ports.ts";
import { type Bench, OTHER_CORES, RELAY_CORE, print, startProgram } from "../bench.ts";
import { formatSpread, recordFigure } from "../figures.ts";
import { cpuMs } from "../measure.ts";
import { percentile, runStreams, type StreamTarget, type StreamTimes } from "../streams.ts";

const STREAM_COUNTS = [256, 128, 64, 32] as const;
const FRAMES = 50;
const GAP_MS = 10;
const SPREAD_MS = 500;
const PATH = "/v1/chat/completions";

type Side = { readonly name: "bare proxy" | "relay"; readonly target: StreamTarget; readonly pid: number };
type Round = StreamTimes & { readonly cpuMs: number };
/** One figure of a round. */
type Figure = (round: Round) => number;

const FIGURES: Readonly<Record<string, { readonly unit: string; readonly of: Figure }>> = {
  "processor time per event": { unit: "µs", of: ({ cpuMs: used, frames }) => (used * 1_000) / frames },
  "time to first token p50": { unit: "ms", of: ({ firstTokenMs }) => percentile(firstTokenMs, 0.5) },
  "time to first token p99": { unit: "ms", of: ({ firstTokenMs }) => percentile(firstTokenMs, 0.99) },
  "stream time p99": { unit: "ms", of: ({ wholeMs }) => percentile(wholeMs, 0.99) },
  "event delay p99": { unit: "ms", of: ({ delaysMs }) => percentile(delaysMs, 0.99) },
};

async function runRound({ target, pid }: Side, streams: number): Promise<Round> {
  const before = cpuMs(pid);
  const times = await runStreams(target, { streams, framesEach: FRAMES, spreadMs: SPREAD_MS });
  return { ...times, cpuMs: cpuMs(pid) - before };
}

/** Prints each figure of both sides as medians, and the ratio with its spread over the rounds. */
function printFigures(streams: number, bare: readonly Round[], relay: readonly Round[]): void {
  print(`\n${streams} streams, ${FRAMES} events each, ${GAP_MS} ms apart, ${bare.length} rounds by turns`);
  for (const [name, { unit, of }] of Object.entries(FIGURES)) {
    const [bareValue, relayValue] = [percentile(bare.map(of), 0.5), percentile(relay.map(of), 0.5)];
    const ratios = relay.map((round, index) => of(round) / of(bare[index] ?? round));
    const shown = `relay ${relayValue.toFixed(1)} ${unit}: × ${formatSpread(ratios)}`;
    print(`  ${name.padEnd(25)} bare proxy ${bareValue.toFixed(1)} ${unit}, ${shown}`);
    recordFigure(`${streams} streams: ${name}`, shown);
  }
}

/**
 * Streams whose events arrive one by one, as models send them, through the relay and through the proxy on undici, by
 * turns; returns the number of lost events.
 */
export async function measurePacedStreams(bench: Bench, rounds: number): Promise<number> {
  const [upstreamPort, barePort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${upstreamPort}`;
  const upstream = await startProgram("paced-upstream.ts", [upstreamPort, FRAMES, GAP_MS].map(String), OTHER_CORES);
  const proxy = await startProgram("undici-proxy.ts", [String(barePort), origin], RELAY_CORE);
  const model = "paced-10ms";
  let lost = 0;
  try {
    await bench.addModel(model, origin);
    const { key } = bench;
    const sides: readonly Side[] = [
      { name: "bare proxy", target: { url: `http://127.0.0.1:${barePort}${PATH}`, key, model }, pid: proxy.pid ?? 0 },
      { name: "relay", target: { url: bench.target("relay", "stream").url, key, model }, pid: bench.relayPid() },
    ];
    // Compiles the code of both sides.
    for (const side of [...sides, ...sides, ...sides]) await runRound(side, STREAM_COUNTS[0]);
    for (const streams of STREAM_COUNTS) {
      const results: Record<Side["name"], Round[]> = { "bare proxy": [], relay: [] };
      for (let round = 0; round < rounds; round++)
        for (const side of sides) results[side.name].push(await runRound(side, streams));
      lost += results.relay.reduce((sum, round) => sum + round.lost, 0);
      printFigures(streams, results["bare proxy"], results.relay);
    }
  } finally {
    proxy.kill();
    upstream.kill();
  }
  if (lost > 0) print(`  ${lost} events were lost`);
  return lost;
}
