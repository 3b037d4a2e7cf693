import { type Bench, OTHER_CORES, print } from "../bench.ts";
import { formatSpread, recordFigure } from "../figures.ts";
import { type LoadTarget, throughput } from "../measure.ts";
import { percentile } from "../streams.ts";

const SIZES_KB = [1, 20, 200] as const;
const ROUNDS = 3;
const CONNECTIONS = 32;
const SENTENCE = "The toll of the day is two coins for a cart, one for a rider and none for who walks. ";

/** The target with a conversation of this size: many messages, as agents send them. */
function withBody(target: LoadTarget, sizeKb: number): LoadTarget {
  const content = SENTENCE.repeat(10);
  const count = Math.max(1, Math.round((sizeKb * 1_024) / content.length));
  const messages = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content,
  }));
  return { ...target, body: JSON.stringify({ ...(JSON.parse(target.body) as object), messages }) };
}

/** Non-streaming calls with request bodies of several sizes; returns the number of failed responses. */
export async function measureBodySizes(bench: Bench, seconds: number): Promise<number> {
  const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
  let failed = 0;
  print(`\nnon-streaming calls by size of the request body, ${CONNECTIONS} connections, ${ROUNDS} rounds by turns`);
  for (const sizeKb of SIZES_KB) {
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await throughput(withBody(bench.target("bare proxy", "whole"), sizeKb), options);
      const relay = await throughput(withBody(bench.target("relay", "whole"), sizeKb), options);
      failed += bare.failed + relay.failed;
      rates.push(relay.perSecond);
      ratios.push(relay.perSecond / bare.perSecond);
    }
    const rate = percentile(rates, 0.5).toFixed(0).padStart(6);
    const shown = `${formatSpread(ratios)} of the bare proxy`;
    print(`  ${`${sizeKb} kB`.padEnd(7)} ${rate} /s   ${shown}`);
    recordFigure(`non-streaming calls with bodies of ${sizeKb} kB`, `${rate.trim()} /s: ${shown}`);
  }
  return failed;
}
