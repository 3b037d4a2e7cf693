import { type Bench, type Kind, print } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { latencyAt } from "../measure.ts";

const RATE_PER_SECOND = 500;
const THROUGH = ["upstream", "bare proxy", "relay"] as const;
const TITLES: Readonly<Record<Kind, string>> = { whole: "non-streaming", stream: "streaming" };
type Name = (typeof THROUGH)[number];

/** Calls of one kind by added latency, from the relay's own metric: how many took at most so many seconds. */
async function addedByRelay({ world }: Bench, kind: Kind): Promise<Map<string, number>> {
  const stream = String(kind === "stream");
  const line = new RegExp(
    `^turnpike_relay_overhead_seconds_bucket{dialect="[^"]+",stream="${stream}",le="([^"]+)"} (\\d+)$`,
    "gm",
  );
  return new Map(
    [...(await world.metrics("relay")).matchAll(line)].map(([, most = "", count]) => [most, Number(count)]),
  );
}

/**
 * The relay's own work as a share of the caller's waiting time: without upstream, the client and the scheduling of the
 * shared cores.
 */
function printAdded(kind: Kind, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  const calls = (most: string): number => (after.get(most) ?? 0) - (before.get(most) ?? 0);
  const shares = ["0.0005", "0.001", "0.002", "0.005"].map(
    (most) => `${((calls(most) / calls("+Inf")) * 100).toFixed(1)} % within ${Number(most) * 1000} ms`,
  );
  print(`  added by the relay, from its own metric, without the upstream's time: ${shares.join(", ")}`);
  recordFigure(`of it the relay alone, without waiting for a core (${TITLES[kind]})`, `${shares[1]}`);
}

/**
 * Latency that the relay and the bare proxy add to upstream's at a steady rate; returns the number of failed responses.
 */
export async function measureLatency(bench: Bench, kind: Kind, seconds: number): Promise<number> {
  const measured = new Map<Name, Awaited<ReturnType<typeof latencyAt>>[string]>();
  // Sequentially: concurrently they would be a load of their own.
  const before = await addedByRelay(bench, kind);
  for (const name of THROUGH) {
    const { [name]: result } = await latencyAt(RATE_PER_SECOND, seconds, { [name]: bench.target(name, kind) });
    if (result) measured.set(name, result);
  }
  const base = measured.get("upstream");
  print(`\nlatency at ${RATE_PER_SECOND} calls a second, ${kind} responses, in ms (added = above upstream itself)`);
  let failed = 0;
  for (const [name, { whole, firstByte }] of measured) {
    const added = (value: number, of: number | undefined): string =>
      `${value.toFixed(2)} (+${(value - (of ?? 0)).toFixed(2)})`;
    print(
      `  ${name.padEnd(12)} p50 ${added(whole.p50Ms, base?.whole.p50Ms)}  p99 ${added(whole.p99Ms, base?.whole.p99Ms)}  first byte p50 ${added(firstByte.p50Ms, base?.firstByte.p50Ms)} p99 ${added(firstByte.p99Ms, base?.firstByte.p99Ms)}  failed ${whole.failed}`,
    );
    failed += whole.failed;
  }
  const [relay, bare] = [measured.get("relay"), measured.get("bare proxy")];
  if (relay && bare)
    recordFigure(
      `latency at ${RATE_PER_SECOND} calls a second (${TITLES[kind]})`,
      `p50 ${relay.whole.p50Ms.toFixed(1)} ms (bare proxy ${bare.whole.p50Ms.toFixed(1)}), p99 ${relay.whole.p99Ms.toFixed(1)} ms (${bare.whole.p99Ms.toFixed(1)})`,
    );
  printAdded(kind, before, await addedByRelay(bench, kind));
  return failed;
}
