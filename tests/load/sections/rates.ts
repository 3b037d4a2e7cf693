import { type Bench, type Kind, OTHER_CORES, print } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { throughput } from "../measure.ts";

const ROUNDS = 3;
const CONNECTIONS = 64;
const THROUGH = ["bare proxy", "undici proxy", "nginx", "relay"] as const;
const TITLES: Readonly<Record<Kind, string>> = {
  whole: "non-streaming responses",
  stream: "streaming responses (17 frames)",
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A relay runs at half its speed until its code is compiled: the first seconds are not measured. */
export async function warmUp(bench: Bench, seconds: number): Promise<void> {
  for (const kind of ["whole", "stream"] as const)
    await throughput(bench.target("relay", kind), { seconds, connections: CONNECTIONS, cores: OTHER_CORES });
}

/** Requests per second through the relay and the other proxies, in turns; returns the number of failed responses. */
export async function measureRates(bench: Bench, kind: Kind, seconds: number): Promise<number> {
  const rates = new Map(THROUGH.map((name) => [name, [] as number[]]));
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of THROUGH) {
      const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
      const result = await throughput(bench.target(name, kind), options);
      rates.get(name)?.push(result.perSecond);
      failed += result.failed;
    }
  }
  const bare = median(rates.get("bare proxy") ?? []);
  print(`\n${TITLES[kind]}, ${CONNECTIONS} connections, median of ${ROUNDS} × ${seconds} s`);
  for (const [name, values] of rates) {
    const rate = median(values);
    print(`  ${name.padEnd(12)} ${rate.toFixed(0).padStart(7)} /s   ${(rate / bare).toFixed(2)} of the bare proxy`);
  }
  const [relay, undici] = [median(rates.get("relay") ?? []), median(rates.get("undici proxy") ?? [])];
  recordFigure(
    `${TITLES[kind]}, ${CONNECTIONS} connections`,
    `${relay.toFixed(0)} /s: ${(relay / bare).toFixed(2)} of the bare proxy, ${(relay / undici).toFixed(2)} of the one on undici`,
  );
  if (failed > 0) print(`  ${failed} responses were not 2xx`);
  return failed;
}
